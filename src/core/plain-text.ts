/** Marks that turn the direction of text or cannot be seen: with them a text reads as something that it is not. */
const DECEPTIVE =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** One line of visible text from text of strangers: no control characters, no line ends, no direction marks. */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(DECEPTIVE, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

const INVISIBLE_SPACE = '\u200b';

/** As `plainLine`, and no program that shows it makes a link or a mention of it. It still reads the same. */
export function inertLine(text: string): string {
  return plainLine(text).replaceAll('://', `:${INVISIBLE_SPACE}//`).replaceAll('@', `@${INVISIBLE_SPACE}`);
}

/**
 * Escapes character by character and stops before `limit` UTF-16 units, with an ellipsis where something was left out:
 * no escape and no character is ever cut in two.
 */
export function escapedWithin(text: string, limit: number, escaped: (character: string) => string): string {
  let whole = '';
  let cutAt = 0;
  for (const character of text) {
    const next = whole + escaped(character);
    if (next.length > limit) return `${whole.slice(0, cutAt)}…`;
    whole = next;
    if (whole.length <= limit - 1) cutAt = whole.length;
  }
  return whole;
}
