/** Bidirectional and invisible characters: with them a text looks different from its characters. */
const DECEPTIVE =
  /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Untrusted text as one visible line: no control characters, line ends or direction marks. */
export function plainLine(text: string): string {
  return text
    .toWellFormed()
    .replace(DECEPTIVE, '')
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .trim();
}

/** A longer word, such as the name of an agent, is shortened. */
const MAX_WORD_CHARACTERS = 200;

/** A line of at most `limit` characters, without very long words; `…` marks what is omitted. */
export function shortenLine(line: string, limit: number): string {
  return shortenAt(
    line.replace(new RegExp(`\\S{${MAX_WORD_CHARACTERS + 1},}`, 'g'), (word) => shortenAt(word, MAX_WORD_CHARACTERS)),
    limit,
  );
}

function shortenAt(text: string, limit: number): string {
  return text.length <= limit
    ? text
    : `${text
        .slice(0, limit - 1)
        .toWellFormed()
        .replace(/\ufffd$/, '')
        .trimEnd()}…`;
}

const INVISIBLE_SPACE = '\u200b';

/** Like `plainLine`, and no program that displays the text turns a part of it into a link or a mention. It still reads the same. */
export function inertLine(text: string): string {
  return plainLine(text).replaceAll('://', `:${INVISIBLE_SPACE}//`).replaceAll('@', `@${INVISIBLE_SPACE}`);
}

/**
 * Escapes character by character and stops before `limit` UTF-16 units, with an ellipsis if text was omitted:
 * no escape sequence and no character is cut in two.
 */
export function escapeWithin(text: string, limit: number, escaped: (character: string) => string): string {
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
