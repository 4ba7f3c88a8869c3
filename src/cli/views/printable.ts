import { shortenLine } from '../../core/plain-text.ts';

/**
 * Characters that control a terminal or hide text in it: C0 and C1 controls, DEL, directional overrides, invisible
 * separators. Traces are untrusted and are shown on a terminal.
 */
const UNSAFE = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g;

/** Multi-line text with only printable characters, tabs and line ends; others are shown as `\x1b`. */
export function printable(text: string): string {
  return text.toWellFormed().replaceAll('\r\n', '\n').replace(UNSAFE, visible);
}

/** The same as one line. */
export function printableLine(text: string): string {
  return printable(text)
    .replace(/[\t\n ]+/g, ' ')
    .trim();
}

/** Maximum length of a name in a view, and of a paragraph that contains names. */
const NAME_CHARACTERS = 200;
const PARAGRAPH_CHARACTERS = 2_000;

/** A name from a trace as one line, shortened. */
export function printableName(text: string): string {
  return shortenLine(printableLine(text), NAME_CHARACTERS);
}

/** A sentence that contains names from a trace: one line, in which neither line breaks nor long names forge or flood the output. */
export function printableParagraph(text: string): string {
  return shortenLine(printableLine(text), PARAGRAPH_CHARACTERS);
}

/** JSON text with only printable characters; its value is unchanged. */
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
