import { IBAN_LENGTHS, passesIbanCheck, passesLuhn } from './checksums.ts';
import { afterLead, type Cue, type Pattern, regexCue, type Secret } from './pattern.ts';

const EMAIL: Pattern = {
  kind: 'email',
  regex: /(?<![A-Za-z0-9._%+-])[A-Za-z0-9._%+-]{1,64}@[A-Za-z0-9.-]{1,190}\.[A-Za-z]{2,24}(?![A-Za-z0-9-]|:[\w~/])/g,
};
/** Prefixes of payment card issuers, so that times in nanoseconds and phone numbers are kept. */
const CARD: Pattern = {
  kind: 'card_number',
  regex: /(?<![\w.+-])[2-6]\d{3}[\d -]{8,25}\d(?![\w-]|\.\d)/g,
  locate: locateCard,
  looksWithinRejected: true,
};
const IBAN: Pattern = {
  kind: 'iban',
  regex: /(?<![A-Za-z0-9])[A-Z]{2}\d{2}[A-Z0-9 ]{11,38}/g,
  locate: locateIban,
  looksWithinRejected: true,
};
const US_SSN: Pattern = {
  kind: 'us_ssn',
  regex: /(?<![\w-])(?!000|666|9)\d{3}-(?!00)\d{2}-(?!0000)\d{4}(?![\w-])/g,
};
const INTERNATIONAL_PHONE: Pattern = {
  kind: 'phone',
  regex: /(?<![\w+./-])\+[1-9][\d .()-]{6,20}\d(?![\w-])/g,
  locate: locateInternationalPhone,
  looksWithinRejected: true,
};
const AMERICAN_PHONE: Pattern = {
  kind: 'phone',
  regex: /(?<![\w.-])(?:\([2-9]\d{2}\) ?|[2-9]\d{2}[-.])[2-9]\d{2}[-.]\d{4}(?![\w-])/g,
};

export const PERSONAL_PATTERNS: readonly Pattern[] = [EMAIL, IBAN, CARD, US_SSN, INTERNATIONAL_PHONE, AMERICAN_PHONE];

export const PERSONAL_CUES: readonly Cue[] = [
  regexCue(/\w@\w/, [EMAIL]),
  regexCue(/[A-Z][A-Z]\d\d[A-Z0-9 ]{11}/, [IBAN]),
  regexCue(/\d{4}[\d -]{9}/, [CARD]),
  regexCue(/\d{3}-\d\d-\d{4}/, [US_SSN]),
  regexCue(/\+[1-9][\d .()-]{7}|\d{3}[).-][ \d]\d\d/, [INTERNATIONAL_PHONE, AMERICAN_PHONE]),
];

function locateCard(match: RegExpExecArray): Secret | null {
  const digits = match[0].replace(/\D/g, '');
  const isWellSpaced = !/[ -]{2}/.test(match[0]);
  return isWellSpaced && digits.length >= 13 && digits.length <= 19 && passesLuhn(digits) ? afterLead(match, 0) : null;
}

/** The match may extend into the following words; the country determines the length. */
function locateIban(match: RegExpExecArray): Secret | null {
  const length = IBAN_LENGTHS[match[0].slice(0, 2)];
  if (length === undefined) return null;
  let end = 0;
  for (let characters = 0; end < match[0].length && characters < length; end += 1) {
    if (match[0].charAt(end) !== ' ') characters += 1;
  }
  const iban = match[0].slice(0, end).replaceAll(' ', '');
  const isWhole = iban.length === length && !/^[A-Za-z0-9]/.test(match[0].slice(end));
  return isWhole && passesIbanCheck(iban) ? { start: match.index, end: match.index + end } : null;
}

function locateInternationalPhone(match: RegExpExecArray): Secret | null {
  const count = match[0].replace(/\D/g, '').length;
  const isWellSpaced = !/[ .-]{2}|\([^)]{0,20}\(/.test(match[0]);
  return isWellSpaced && count >= 8 && count <= 15 ? afterLead(match, 0) : null;
}
