/** A text as a reader takes it, and where each of its characters stands in the original. */
export interface View {
  text: string;
  /** For each character, and for the end: its offset in the original. */
  starts: readonly number[];
}

/**
 * Characters that do not show (NUL, zero-width, soft hyphen, direction, variation selectors, tags), full-width and
 * mathematical letters, and letters spelt `%73`, `\u0073` or `\x73`.
 */
const DISGUISED =
  /\0|[\u034f]|[\u17b4\u17b5]|[\u180b-\u180f]|[\ufe00-\ufe0f]|[\u00ad\u061c\u115f\u1160\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\uff01-\uff5e]|\ud835[\udc00-\udfff]|\udb40[\udc00-\udc7f]|%[2-7][0-9A-Fa-f]|\\u00[2-7][0-9A-Fa-f]|\\x[2-7][0-9A-Fa-f]/;
const EACH_DISGUISED = new RegExp(DISGUISED.source, 'g');

export function isDisguised(text: string): boolean {
  return DISGUISED.test(text);
}

/** The text without its disguise. */
export function undisguise(text: string): View {
  const parts: string[] = [];
  const starts: number[] = [];
  let from = 0;
  function plain(end: number): void {
    if (end === from) return;
    parts.push(text.slice(from, end));
    for (let at = from; at < end; at += 1) starts.push(at);
  }
  EACH_DISGUISED.lastIndex = 0;
  for (let match = EACH_DISGUISED.exec(text); match !== null; match = EACH_DISGUISED.exec(text)) {
    plain(match.index);
    const character = meaningOf(match[0]);
    parts.push(character);
    if (character !== '') starts.push(match.index);
    from = match.index + match[0].length;
  }
  plain(text.length);
  starts.push(text.length);
  return { text: parts.join(''), starts };
}

/** ASCII, or nothing for what does not show. */
function meaningOf(disguised: string): string {
  const spelt = /^(?:%|\\u00|\\x)(..)$/.exec(disguised);
  if (spelt !== null) return String.fromCharCode(Number.parseInt(spelt[1]!, 16));
  const folded = disguised.normalize('NFKC');
  return /^[\x20-\x7e]$/.test(folded) ? folded : '';
}
