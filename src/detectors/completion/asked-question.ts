import type { Trace } from '../../core/trace.ts';
import { wordCount } from '../_kit/text.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';

/** A question is at the start of a request; what follows may be notes of earlier attempts. */
const START_CHARACTERS = 500;
const MAX_SENTENCES = 20;
/** A question mark of any script after a word, but not in an address (`?q=`). Japanese questions can end with `か。`. */
const QUESTION_MARK = /[\p{L}\p{N})"'”’»\]\s][?？؟](?![\w&=])|か[?？。]|[?？؟](?=\p{Lu}\p{Ll})/u;
/** Politely requests an act: `Could you book …?`. */
const REQUESTS_ACT =
  /(?<!\p{L})(?:(?:can|could|would|will|may|please) (?:you|i|we)|please|(?:kannst|könntest|würdest|magst) du|(?:können|könnten|würden) sie|bitte|puedes?|podrías?|podría usted|peux[- ]tu|pouvez[- ]vous|pourr(?:ais|iez)[- ](?:tu|vous)|puoi|può|potr(?:esti|ebbe)|pode(?:s|ria)?|poderia|kun je|kunt u|(?:czy )?możesz|можешь|можете|мог(?:ла?|ли) бы|пожалуйста)(?!\p{L})|[请請]|能不能|可以.{0,40}[吗嗎]|能.{0,40}[吗嗎]|てください|(?:できます|もらえます|いただけます|くれます)か/iu;

/** Shorter ones can be a greeting: `How are you?`. */
const MIN_WORDS = 4;
const MIN_CHARACTERS = 16;

/** Whether the last message of the user, or the task, asks for information: a question that is not a polite request. */
export function asksQuestion(trace: Trace): boolean {
  const text = (lastUserTurn(trace)?.text ?? trace.task ?? '').slice(0, START_CHARACTERS);
  const sentences = text.split(/(?<=[.!。！\n]|[?？؟](?![\w&=]))/u).slice(0, MAX_SENTENCES);
  return sentences.some((sentence) => QUESTION_MARK.test(sentence) && isLong(sentence) && !REQUESTS_ACT.test(sentence));
}

function isLong(sentence: string): boolean {
  return wordCount(sentence) >= MIN_WORDS || sentence.trim().length >= MIN_CHARACTERS;
}
