import { stripVTControlCharacters } from 'node:util';

/**
 * Characters that are invisible to people but not to a model: controls, directional overrides, invisible separators, Unicode
 * tags (an invisible copy of ASCII) and variation selectors, which can encode bytes.
 */
const INVISIBLE =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e0fff}]/gu;
/** Scripts and emoji use joiners and selectors, but never three in a row. */
const JOINER_RUN = /(?:\u200c|\u200d|[\ufe00-\ufe0f]){3,}/g;

/** Multi-line text without escape sequences and invisible characters. */
export function plainText(text: string): string {
  const wellFormed = text.toWellFormed().replaceAll('\r\n', '\n');
  return stripVTControlCharacters(wellFormed).replace(INVISIBLE, '').replace(JOINER_RUN, '');
}

/** The plain text on one line. */
export function plainLine(text: string): string {
  return plainText(text)
    .replace(/[\t\n ]+/g, ' ')
    .trim();
}

/** At most `limit` characters, with a note on how many are omitted. */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  return `${text.slice(0, limit).toWellFormed()}… [${text.length - limit} more characters]`;
}
