const FIRST_CONTROL_PICTURE = 0x2400;
const DELETE = 0x7f;
const DELETE_PICTURE = 0x2421;

// C0 controls without tab and line feed, DEL, C1 controls, bidirectional controls, zero-width and byte order marks.
const HIDDEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * Makes invisible and bidirectional control characters visible: an escape sequence becomes `␛[31m`, a right-to-left
 * override `⟨U+202E⟩`. A carriage return before a line feed is removed.
 */
export function visibleText(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(HIDDEN, pictureOf);
}

function pictureOf(character: string): string {
  const code = character.charCodeAt(0);
  if (code < 0x20) return String.fromCharCode(FIRST_CONTROL_PICTURE + code);
  if (code === DELETE) return String.fromCharCode(DELETE_PICTURE);
  return `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
}
