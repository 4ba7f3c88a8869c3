import { cut, oneLine, splitSentences, wordCount } from '../../_kit/text.ts';
import { withoutCode } from '../calls/fenced-code.ts';
import { admitsFailure, claimOfPassingTests, claimsSuccess } from './claims.ts';

const READ_CHARACTERS = 1_500;
const READ_SENTENCES = 3;
/** Words that also occur in a message about work that succeeded. */
const WEAK = /\b(?:however|instead|issues?|problems?|errors?)\b/giu;
/** Offers, conditions and questions say nothing about the outcome. */
const OFFER = /\?|\b(?:if|let me know|please|feel free|hope)\b/i;

/** The sentence near the end of a message that admits a failure; null if no sentence does. */
export function closingAdmission(text: string): string | null {
  return (
    closingSentences(text).findLast(
      (sentence) => !OFFER.test(sentence) && admitsFailure(sentence.replace(WEAK, ' ')),
    ) ?? null
  );
}

/** The sentence near the end of a message that admits a failure, else the one that claims success; null without either. */
export function outcomeSentence(text: string): string | null {
  return closingAdmission(text) ?? closingSentences(text).findLast(claimsSuccess) ?? null;
}

/** `should now pass`, `should work`: the agent expects its own code to work. */
const PROMISE =
  /\bshould (?:now )?(?:\w{1,20} )?(?:pass|work|run|succeed|produce|handle|be (?:\w{1,20} )?(?:correct|fixed|passing|successful))\b/i;
/** Advice to a reader is no promise. */
const ADVICE = /\b(?:you|tests?|make sure|ensure) should\b/i;

/** What a message says about its own work: that tests pass, that the code should work, else its first sentence. */
export function statedOutcome(text: string): string | null {
  return successClaim(text) ?? openingSentence(text);
}

/** The sentence of a message that says that tests pass, or that the code should work; null without such a sentence. */
export function successClaim(text: string): string | null {
  const prose = withoutCode(text);
  const promise = () => sentencesIn(prose).findLast((each) => PROMISE.test(each) && !ADVICE.test(each));
  return claimOfPassingTests(prose) ?? promise() ?? null;
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

function closingSentences(text: string): string[] {
  return sentencesIn(text.trim().slice(-READ_CHARACTERS)).slice(-READ_SENTENCES);
}

function sentencesIn(text: string): string[] {
  return splitSentences(text)
    .map((sentence) => sentence.trim())
    .filter((sentence) => sentence !== '');
}
