import { isJsonObject, type Json, parseJson } from '../../core/json.ts';
import type { Step, Trace } from '../../core/trace.ts';
import { cut, joined, lettersAndDigits, oneLine, stepsText } from '../_kit/text.ts';
import { admitsFailure } from '../_readings/conduct/claims.ts';

/** Rounds of answers of one agent, each followed by the same message. */
export interface RejectedRounds {
  /** The equal messages. */
  replies: readonly [Step, Step, ...Step[]];
  /** The first answer of the first round. */
  begin: Step;
  /** Answers of the agent directly before one of the messages that differ from the repeated answer. */
  others: readonly Step[];
  /** Fields that are empty in the answer before each of the messages, if these answers are JSON objects. */
  emptyFields: readonly string[];
}

/** Null if another message, or none, follows the other answers of the agent. */
export function rejectedRounds(trace: Trace, answers: readonly Step[]): RejectedRounds | null {
  const last = answers.at(-1)!;
  const isOwn = (step: Step | undefined) => step?.kind === 'llm' && step.agent === last.agent;
  let at = last.index + 1;
  while (isOwn(trace.steps[at])) at += 1;
  const reply = trace.steps[at];
  if (reply?.kind !== 'message' || reply.output.trim() === '') return null;
  const text = oneLine(reply.output);
  const replies = trace.steps.filter(
    (step) => step.kind === 'message' && oneLine(step.output) === text && isOwn(trace.steps[step.index - 1]),
  );
  const [one, two, ...more] = replies;
  if (one === undefined || two === undefined) return null;
  let start = one.index - 1;
  while (isOwn(trace.steps[start - 1])) start -= 1;
  const before = replies.map(({ index }) => trace.steps[index - 1]!);
  const repeated = lettersAndDigits(last.output);
  const others = before.filter(({ output }) => lettersAndDigits(output) !== repeated);
  return { replies: [one, two, ...more], begin: trace.steps[start]!, others, emptyFields: emptyFieldsOf(before) };
}

/** Fields that all these answers have and that are empty in all of them. */
function emptyFieldsOf(answers: readonly Step[]): string[] {
  const records = answers.map(({ output }) => parseJson(output));
  const [first] = records;
  if (first === undefined || !isJsonObject(first)) return [];
  return Object.keys(first).filter((key) =>
    records.every((record) => record !== undefined && isJsonObject(record) && isEmpty(record[key])),
  );
}

function isEmpty(value: Json | undefined): boolean {
  return value === '' || value === null || (typeof value === 'object' && Object.keys(value).length === 0);
}

const REPLY_CHARACTERS = 140;

/** Sentences about the rounds. */
export function rejectedRoundsText({ replies, begin, others, emptyFields }: RejectedRounds, name: string): string {
  return `The same message follows ${replies.length} rounds of answers of ${name} (${stepsText(replies.map(({ index }) => index))}): "${cut(oneLine(replies[0].output).replace(/\.$/, ''), REPLY_CHARACTERS)}". The first round begins at step ${begin.index}.${othersText(others)}${emptyFieldsText(emptyFields, replies.length)}`;
}

/** One sentence with a leading space; empty without such fields. */
function emptyFieldsText(fields: readonly string[], rounds: number): string {
  if (fields.length === 0) return '';
  return ` ${fields.length === 1 ? 'The field' : 'The fields'} ${joined(fields.map((field) => `"${field}"`))} ${fields.length === 1 ? 'is' : 'are'} empty in the answers of all ${rounds} rounds.`;
}

/** One sentence with a leading space about other answers with the same reply; empty without them. */
function othersText(others: readonly Step[]): string {
  const [first] = others;
  if (first === undefined) return '';
  const quote = cut(oneLine(first.output), REPLY_CHARACTERS);
  const different = new Set(others.map(({ output }) => lettersAndDigits(output))).size;
  const variety =
    different === others.length ? '' : different === 1 ? ' with one text' : ` with ${different} different texts`;
  return ` It also follows ${others.length === 1 ? 'another answer' : `${others.length} other answers${variety}`} (${stepsText(others.map(({ index }) => index))}), ${others.length === 1 ? '' : 'the first one: '}"${quote}".`;
}

/** Whether the last step of the run is a message of the sender of these messages that states a failure. */
export function endsOnRejection({ steps }: Trace, { replies }: RejectedRounds): boolean {
  const last = steps.at(-1);
  return last?.kind === 'message' && last.agent === replies[0].agent && admitsFailure(last.output);
}

/** How a run ended whose last step is a message, as a sentence with a leading space; else empty. */
export function lastMessageText({ steps }: Trace, replies: readonly Step[]): string {
  const last = steps.at(-1);
  if (last?.kind !== 'message' || last.agent !== replies[0]!.agent || last.output.trim() === '') return '';
  return ` The run ended at step ${last.index} with a message of ${last.agent ?? last.name}: "${cut(oneLine(last.output).replace(/\.$/, ''), REPLY_CHARACTERS)}".`;
}

export function rejectedRoundsAdvice(
  { replies }: RejectedRounds,
  name: string,
  answer: string,
  author: string,
): string {
  return `Let the check that returns "${cut(oneLine(replies[0].output), 80)}" say which part of the answer of ${name} ("${answer}") it does not accept and why, send that to ${author}, and end the run after the second equal message: it came ${replies.length} times.`;
}
