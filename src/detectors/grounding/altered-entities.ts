import type { AnswerEntity } from './answer-entities.ts';

/** Longer runs of digits are counters or random. Shorter ones are sizes, years, versions. */
const NUMBER = /\d{4,}/g;
const MIN_DIGITS = 5;
/** Largest number of matches to examine for one value of the answer. */
const MAX_MATCHES = 200;
/** Names of standards and public registers: their numbers are general knowledge. */
const REGISTERED = /^(?:cve|cwe|iso|iec|din|rfc|nist|ieee|ansi|astm|jis|pep|icd|doi|isbn|issn|arxiv|pmid)(?![a-z])/;

/**
 * The value of the run that differs from this one only in some digits: the answer has probably altered it. Null if the run
 * contains none. @param lowerTexts in lower case
 */
export function unalteredOf({ kind, needle }: AnswerEntity, lowerTexts: readonly string[]): string | null {
  if (kind !== 'url' && kind !== 'identifier' && kind !== 'email') return null;
  if (REGISTERED.test(needle) || needle.replace(/\D/g, '').length < MIN_DIGITS) return null;
  const form = formOf(needle);
  if (form === needle) return null;
  let left = MAX_MATCHES;
  for (const text of lowerTexts) {
    const forms = formOf(text);
    for (let at = forms.indexOf(form); at !== -1 && left > 0; at = forms.indexOf(form, at + 1), left -= 1) {
      const found = text.slice(at, at + needle.length);
      if (isWholeToken(text, at, at + needle.length) && isNear(found, needle)) return found;
    }
  }
  return null;
}

/** The text with every digit of a longer number replaced by the same character; positions stay the same. */
function formOf(text: string): string {
  return text.replace(NUMBER, (digits) => '\0'.repeat(digits.length));
}

function isWholeToken(text: string, start: number, end: number): boolean {
  return !/[\p{L}\p{N}]/u.test(text.charAt(start - 1)) && !/[\p{L}\p{N}]/u.test(text.charAt(end));
}

/** Whether at least half of the digits are equal. */
function isNear(found: string, needle: string): boolean {
  const digits = Array.from(needle, (char, at) => ({ char, at })).filter(({ char }) => /\d/.test(char));
  return digits.filter(({ char, at }) => found[at] === char).length * 2 >= digits.length;
}
