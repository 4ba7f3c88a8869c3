import type { AnswerEntity } from './answer-entities.ts';

/** Matches looked at for one value of the answer. */
const MOST_MATCHES = 200;
/** Runs of so many digits count up or are drawn at random. Shorter ones are sizes, years, versions. */
const NUMBER = /(\d{4,})/;
const FEWEST_DIGITS = 5;
/** Names of standards and public registers: their numbers are general knowledge. */
const REGISTERED = /^(?:cve|cwe|iso|iec|din|rfc|nist|ieee|ansi|astm|jis|pep|icd|doi|isbn|issn|arxiv|pmid)(?![a-z])/;

/**
 * The value of the run that differs from this one in some digits only: the answer has then probably changed it. Null
 * where the run shows none. @param lowerTexts in lower case
 */
export function unalteredOf({ kind, needle }: AnswerEntity, lowerTexts: readonly string[]): string | null {
  if (kind !== 'url' && kind !== 'identifier' && kind !== 'email') return null;
  if (REGISTERED.test(needle) || needle.replace(/\D/g, '').length < FEWEST_DIGITS) return null;
  const parts = needle.split(NUMBER);
  if (parts.length < 3) return null;
  const source = parts.map((part, at) => (at % 2 === 1 ? `\\d{${part.length}}` : escaped(part))).join('');
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])${source}(?![\\p{L}\\p{N}])`, 'gu');
  let left = MOST_MATCHES;
  for (const text of lowerTexts) {
    for (const [found] of text.matchAll(pattern)) {
      if (isNear(found, needle)) return found;
      left -= 1;
      if (left === 0) return null;
    }
  }
  return null;
}

/** At least half of the digits are the same. */
function isNear(found: string, needle: string): boolean {
  const digits = [...needle].flatMap((char, at) => (/\d/.test(char) ? [found[at] === char] : []));
  return digits.filter(Boolean).length * 2 >= digits.length;
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
