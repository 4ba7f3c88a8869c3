import { letterWords, words } from '../_kit/text.ts';
import { admitsFailure } from '../_readings/conduct/claims.ts';
import { languageOfReply } from '../_readings/conduct/reply-language.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';
import { isVague, speaksOfFailure, speaksOfTarget, withoutHarmless } from './admission-words.ts';
import { speaksOfTroubleAbroad } from './admission-words-abroad.ts';

/**
 * What a text says about a failure. `unclear`: it has a negation or another word that can mean it. `unknown`: the language of the text is not
 * covered by the vocabulary.
 */
export type Admission = 'admits' | 'unclear' | 'unknown' | 'none';

/** The texts of a failed call and of the run before the answer. */
export interface FailureContext {
  error: string;
  /** The arguments of the failed call: a name that an error repeats from them says nothing about the failure. */
  passed?: string;
  /** The task, other messages of users, arguments and results of other calls: their words are the topic of the run. */
  known?: string;
  /** Task, instructions and other answers, which show the language of a short answer. */
  language?: string;
  /** Whether the call is a check that did its work and found a fault. */
  isCheck?: boolean;
}

/** Languages besides English whose words for failures are listed. */
const COVERED = new Set(
  'german french spanish italian portuguese dutch polish turkish russian chinese japanese korean'.split(' '),
);

/** Whether a text mentions a failure or the error. */
export function admissionIn(text: string, context: FailureContext): Admission {
  const { error, passed = '', known = '', language: texts = '' } = context;
  const own = withoutHarmless(text);
  const topic = ` ${words(`${known} ${passed}`).join(' ')} `;
  if (statesCode(own, error, passed) || sharesWord(own, error, topic)) return 'admits';
  if (speaksOfTarget(own, targetsIn(passed)) || findsNothing(own, error, passed)) return 'admits';
  const language = languageOfReply(text, texts);
  if (language === 'english') return speaksOfFailure(own, topic) ? 'admits' : isVague(own) ? 'unclear' : 'none';
  if (admitsFailure(text)) return 'admits';
  if (language === null || !COVERED.has(language)) return hasReservation(text) ? 'unclear' : 'unknown';
  const isQuestion = /[?？]\s*$|か。?\s*$/.test(text);
  return context.isCheck === true || isQuestion || hasReservation(text) || speaksOfTroubleAbroad(text)
    ? 'unclear'
    : 'none';
}

/** A three-digit number that is no part of a name, an amount or a longer number. */
const STATUS = /(?<![\p{L}\d.,€$£-])[45]\d\d(?![\p{L}\d]|[.,]\d| ?[€$£%])/gu;

/** Whether the text contains the status code of the error. */
function statesCode(text: string, error: string, passed: string): boolean {
  const stated = new Set(text.match(STATUS));
  return (error.slice(0, 300).match(STATUS) ?? []).some((code) => stated.has(code) && !passed.includes(code));
}

/** Addresses, paths and identifiers among the arguments. */
function targetsIn(passed: string): string[] {
  const found = passed.slice(0, 2000).match(/[^\s"'{}[\],()<>]{5,200}/g) ?? [];
  return found.filter((part) => /[\d./@_-]/.test(part) && /[\p{L}\p{N}]$/u.test(part) && !part.endsWith(':'));
}

const ABSENT = /^(?:\w{1,40}: )?(?:no (?:match|record|entry|data|result|such)|not found|nothing found)/i;
const VACANT = /\b(?:free|available|unused|unassigned|vacant|unregistered)\b/i;

/** A look-up without a match can be the answer: the name is free. */
function findsNothing(text: string, error: string, passed: string): boolean {
  return ABSENT.test(error) && VACANT.test(text) && targetsIn(passed).some((target) => text.includes(target));
}

const MIN_LETTERS = 6;
const STEM_LETTERS = 5;
/** Words of the standard texts of errors. */
const GENERIC = new Set(
  'internal server service gateway client request requests status message result response please value values object string number before because should already'.split(
    ' ',
  ),
);

/** Whether the text repeats a specific word of the error, such as what is locked or full, that the run did not use before. */
function sharesWord(text: string, error: string, topic: string): boolean {
  const stems = new Set(letterWords(topic).map(stemOf));
  // What an error says was not done, an answer claims was done.
  const said = error.slice(0, 400).replace(/\bnot (?:be |been |yet )?\p{L}{1,30}/giu, ' ');
  const own = new Set(
    letterWords(said).filter((word) => word.length >= MIN_LETTERS && !GENERIC.has(word) && !stems.has(stemOf(word))),
  );
  return letterWords(text.slice(0, 2000)).some((word) => own.has(word));
}

function stemOf(word: string): string {
  return word.slice(0, STEM_LETTERS);
}
