import { type StatedNumber, statedNumbers, withAsciiDigits } from '../_kit/number-notation.ts';
import { emailsIn } from '../_readings/support/emails.ts';
import { identifiersIn, linksIn, withoutLinks } from '../_readings/support/exact-values.ts';
import { plainAnswer, withoutDrawings } from './plain-answer.ts';

export type EntityKind = 'url' | 'email' | 'identifier' | 'quote' | 'number';

/** An entity of an answer that cannot be paraphrased: the run must have contained it. */
export interface AnswerEntity {
  kind: EntityKind;
  /** As written in the answer. */
  text: string;
  /** Text to search for in the run, in lower case. */
  needle: string;
  /** What a number can mean. */
  readings?: readonly number[];
}

/**
 * Quotation marks: the opening one at the start of a word, the closing one at an end, so that text between two quotations
 * is not matched.
 */
const QUOTE = /(?<![^\s(])["“](?=[\p{L}\p{N}])([^"“”\n]{40,400})(?<=\S)["”](?![\p{L}\p{N}])/gu;

const CODE = /```[^`]*(?:`{1,2}[^`]+)*```|`[^`\n]+`/g;
const MIN_QUOTE_WORDS = 7;
const ANSWER_LIMIT = 20_000;
/** Limit per kind. An answer with more is a listing; the first ones are sufficient. */
const KIND_LIMIT = 12;

/** The entities of an answer. Code in an answer is the agent's own work and needs no source. */
export function answerEntities(answer: string): AnswerEntity[] {
  const text = withoutDrawings(plainAnswer(answer.slice(0, ANSWER_LIMIT)).replace(CODE, ' '));
  const urls = linksIn(text);
  const rest = withoutLinks(text);
  const emails = emailsIn(rest);
  const quotes = [...rest.matchAll(QUOTE)]
    .filter((match) => !isJsonValue(rest, match))
    .map((match) => match[1]!.trim())
    .filter(isSpeech);
  const plain = emails.reduce((left, email) => left.replaceAll(email, ' '), rest);
  return [
    ...entities('url', urls, (url) =>
      url
        .toLowerCase()
        .replace(/^https?:\/\/(?:www\.)?/, '')
        .replace(/\/$/, ''),
    ),
    ...entities('email', emails, (email) => email.toLowerCase()),
    ...entities('quote', quotes, (quote) => quote.toLowerCase()),
    ...entities('identifier', identifiersIn(plain), (id) => id.toLowerCase().replace(/^#/, '')),
    ...numberEntities(amountsIn(plain).filter(isSpecific)),
  ];
}

/** Standalone numbers that are not part of a word, date, path or version, with the sign of a currency before them. */
function amountsIn(text: string): StatedNumber[] {
  return statedNumbers(text).flatMap((number) => {
    const at = /\p{Sc}/u.test(text[number.at - 1] ?? '') ? number.at - 1 : number.at;
    const end = number.at + number.text.length;
    const isPart = /[\w.,/-]/.test(text[at - 1] ?? ' ') || /[\w/-]/.test(text[end] ?? ' ');
    return isPart ? [] : [{ ...number, at, text: text.slice(at, end) }];
  });
}

function entities(kind: EntityKind, texts: readonly string[], needleOf: (text: string) => string): AnswerEntity[] {
  const byNeedle = new Map(texts.map((text) => [needleOf(text), text]));
  return [...byNeedle].slice(0, KIND_LIMIT).map(([needle, text]) => ({ kind, text, needle }));
}

function numberEntities(numbers: readonly StatedNumber[]): AnswerEntity[] {
  const byNeedle = new Map(numbers.map((number) => [String(number.readings[0]), number]));
  return [...byNeedle]
    .slice(0, KIND_LIMIT)
    .map(([needle, { text, readings }]) => ({ kind: 'number', text, needle, readings }));
}

/** Whether quotation marks are part of JSON notation inside prose. */
function isJsonValue(text: string, { 0: quote, index }: RegExpExecArray): boolean {
  const [before, after] = [text.slice(Math.max(0, index - 10), index), text.slice(index + quote.length)];
  return /(?:[{[]|"\s{0,5}:)\s{0,5}$/.test(before) && /^\s{0,5}[:,}\]]/.test(after.slice(0, 10));
}

function isSpeech(quote: string): boolean {
  return quote.split(/\s+/).length >= MIN_QUOTE_WORDS && !/[{}<>=]/.test(quote);
}

/** Whether a number is specific: at least three digits, no year, no round number. */
function isSpecific({ text, readings }: StatedNumber): boolean {
  const significant = String(readings[0])
    .replace('.', '')
    .replace(/^0+/, '')
    .replace(/0{1,20}$/, '');
  const isYear = /^\p{Sc}?(?:1[89]|20)\d\d$/u.test(withAsciiDigits(text));
  return significant.length >= 3 && !isYear;
}
