/**
 * Characters that steer a terminal or hide text in it: C0 and C1 controls, DEL, directional overrides, invisible
 * separators. Traces come from strangers and end up on a screen.
 */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Text of several lines in which nothing but letters, tabs and line ends is left; the rest shows as `\x1b`. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(UNSAFE, visible);
}

/** The same in one line. */
export function printableLine(text: string): string {
  return printable(text)
    .replace(/[\t\n ]+/g, ' ')
    .trim();
}

/** JSON text whose characters a terminal may be shown; its value stays the same. */
export function printableJson(value: unknown, indent = 2): string {
  return JSON.stringify(value, null, indent).replace(UNSAFE, (character) =>
    character === '\n' ? character : `\\u${hexOf(character, 4)}`,
  );
}

function visible(character: string): string {
  const code = character.charCodeAt(0);
  return code < 0x100 ? `\\x${hexOf(character, 2)}` : `\\u${hexOf(character, 4)}`;
}

function hexOf(character: string, digits: number): string {
  return character.charCodeAt(0).toString(16).padStart(digits, '0');
}
