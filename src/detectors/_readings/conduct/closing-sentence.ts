import { cut, oneLine, splitSentences, wordCount } from '../../_kit/text.ts';
import { fencedBlocks, withoutCode } from '../calls/fenced-code.ts';
import { admitsFailure, claimsSuccess } from './claims.ts';
import { isComplete, workStatement } from './work-statement.ts';

const READ_CHARACTERS = 1_500;
const READ_SENTENCES = 3;
/** Words that also occur in a message about work that succeeded. */
const WEAK = /\b(?:however|instead|issues?|problems?|errors?)\b/giu;
/** Offers, conditions and questions say nothing about the outcome. */
const OFFER = /\?|\b(?:if|let me know|please|feel free|hope)\b/i;

/** A quoted text is one that the message speaks of, such as an error that no longer occurs. */
const QUOTED = /"[^"]{0,300}"/g;

/** The sentence near the end of a message that admits a failure; null if no sentence does. Code says nothing about the outcome. */
export function closingAdmission(text: string): string | null {
  return closingSentences(text).findLast(isAdmission) ?? null;
}

/** Whether a message admits a failure at its end and does not claim success after that. */
export function endsOnAdmission(text: string): boolean {
  const last = closingSentences(text).findLast(
    (sentence) => isAdmission(sentence) || isComplete(sentence) || claimsSuccess(sentence),
  );
  return last !== undefined && isAdmission(last);
}

function isAdmission(sentence: string): boolean {
  return !OFFER.test(sentence) && admitsFailure(sentence.replace(QUOTED, ' ').replace(WEAK, ' '));
}

/** The sentence near the end of a message that admits a failure, else the one that claims success; null without either. */
export function outcomeSentence(text: string): string | null {
  return closingAdmission(text) ?? closingSentences(text).findLast(claimsSuccess) ?? null;
}

/** What a message says about its own work: its state, else its first sentence. */
export function statedOutcome(text: string): string | null {
  return workStatement(text) ?? openingSentence(text);
}

const FAILED = /^(?:failed|failure|unsuccessful|error)\b/i;

/** The first sentence of a message if it admits a failure; else null. */
export function statedTrouble(text: string): string | null {
  const [first] = sentencesIn(text.trim().slice(0, READ_CHARACTERS));
  if (first === undefined || OFFER.test(first)) return null;
  return FAILED.test(first) || admitsFailure(first.replace(WEAK, ' ')) ? first : null;
}

const MIN_OPENING_WORDS = 3;
/** A heading, an item of a list, a title in bold, an announcement, or a line of an output. */
const NO_SENTENCE = /^(?:#|[-*+|>] |\d{1,3}[.)]|\*\*[^*]{0,200}\*\*:?$)|[:：]$|^[\w ]{1,20}: /;

/** An apology says nothing about the work. */
const APOLOGY = /^(?:I(?:['’]m| am)? )?(?:(?:sincerely|deeply|very|so) )?(?:apolog|sorry)/i;

/** The first sentence of a message, without its code and apologies; null if it has none. */
export function openingSentence(text: string): string | null {
  const sentences = sentencesIn(withoutCode(text).trim().slice(0, READ_CHARACTERS));
  const isSaid = (each: string) => !NO_SENTENCE.test(each) && !APOLOGY.test(each);
  return sentences.find((each) => isSaid(each) && wordCount(each) >= MIN_OPENING_WORDS) ?? null;
}

/** A sentence in quotation marks at the end of another one, which it ends with its own mark if it has one. */
export function quotedSentence(sentence: string, limit: number): string {
  const text = cut(oneLine(sentence).replaceAll('"', "'"), limit).replace(/[:：]$/, '');
  return /[.!?…。！？]$/.test(text) ? `"${text}"` : `"${text}".`;
}

/** The last sentences of a message. A line of code counts as one and has no words. */
function closingSentences(text: string): string[] {
  return sentencesIn(withoutWordsOfCode(text).trim().slice(-READ_CHARACTERS)).slice(-READ_SENTENCES);
}

function sentencesIn(text: string): string[] {
  return splitSentences(text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}

function withoutWordsOfCode(text: string): string {
  return fencedBlocks(text).reduce((rest, { code }) => rest.replace(code, () => code.replace(/[^\n]+/g, '…')), text);
}
