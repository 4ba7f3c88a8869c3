import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { numberReadings, valuesIn as statedValues } from '../_kit/number-notation.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { counted, cut, joined, letterWords } from '../_kit/text.ts';
import { earlierCalls, type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';
import { hasCuts, runTexts } from '../_readings/support/run-texts.ts';
import { lowerTexts } from './unseen-entities.ts';

/** An answer that states values although every call after the last message of the user failed. */
interface ValuesWithoutResult {
  answer: ConversationTurn;
  values: readonly string[];
  failed: readonly ToolUse[];
}

/** Longer answers are texts that the agent wrote. */
const ANSWER_LIMIT = 1_500;
/** A time, a number with decimals, or a number of at least three digits; not a part of a date, name, path or version. */
const VALUE =
  /(?<![\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\d.,:/_-])(?:\d{1,2}:\d{2}|\d{1,9}[.,]\d{1,4}|\d{3,9})(?![\d:/_-]|[.,]\d|\.\p{L})/gu;
const YEAR = /^(?:1[89]|20)\d\d$/;

/**
 * Null if a call worked, if the answer contains a negation or admits a trouble, or if it asks the user. Work on code and with
 * documents has other sources.
 */
export const valuesWithoutResult = memoizeByRef((trace: Trace): ValuesWithoutResult | null => {
  const failed = onlyFailedCalls(trace);
  if (failed.length === 0) return null;
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || answer.calls.length > 0 || answer.step < failed.at(-1)!.step) return null;
  if (answer.text.length > ANSWER_LIMIT || endsWithQuestion(trace) || mentionsFailure(answer.text, failed)) return null;
  const stated = valuesIn(answer.text);
  if (stated.length === 0) return null;
  const schemas = trace.toolDefinitions.map(({ parameters }) => JSON.stringify(parameters));
  const texts = [...runTexts(trace, answer.text), ...schemas];
  const known = knownValues(texts);
  const given = givenNumbers(trace, failed);
  const values = stated.filter((value) => !readingsOf(value).some((one) => known.has(one) || isDerived(one, given)));
  return values.length === 0 || hasCuts(texts) ? null : { answer, values, failed };
});

/** Whether an answer contains a negation, a word for a trouble, or a word of an error that is not in the arguments. */
function mentionsFailure(answer: string, failed: readonly ToolUse[]): boolean {
  if (hasReservation(answer)) return true;
  const own = new Set(longWords(answer));
  return failed.some(({ failure, argumentsText }) => {
    const passed = new Set(longWords(argumentsText));
    return longWords(failure!.message.slice(0, ERROR_CHARACTERS)).some((word) => own.has(word) && !passed.has(word));
  });
}

const ERROR_CHARACTERS = 400;
const LONG_WORD = 6;

function longWords(text: string): string[] {
  return letterWords(text.toLowerCase()).filter((word) => word.length >= LONG_WORD);
}

/** The calls since the last message of the user, if all of them failed; else empty. */
export function onlyFailedCalls(trace: Trace): readonly ToolUse[] {
  const asked = lastUserTurn(trace)?.step ?? 0;
  const calls = toolUses(trace).filter(({ step }) => step >= asked);
  if (calls.some(({ isError, command }) => !isError || command !== null)) return [];
  const isOther = trace.codingSession !== undefined || trace.steps.some(({ documents }) => documents.length > 0);
  return isOther || earlierCalls(trace).some(({ isError }) => !isError) ? [] : calls;
}

function valuesIn(text: string): string[] {
  return [...new Set(Array.from(text.matchAll(VALUE), ([value]) => value).filter((value) => !YEAR.test(value)))];
}

/** What a written value can mean: `1,204` is 1204 or 1.204, `21:20` is also 9:20. */
function readingsOf(value: string): string[] {
  const [hour, minute] = value.split(':');
  if (minute !== undefined) return [`${Number(hour)}:${minute}`, `${(Number(hour) + 12) % 24}:${minute}`];
  return numberReadings(value).map(String);
}

/** All readings of the times and numbers in the texts of the run. */
function knownValues(texts: readonly string[]): ReadonlySet<string> {
  const lower = lowerTexts(texts);
  const times = lower.flatMap((text) => Array.from(text.matchAll(TIME), ([value]) => value));
  return new Set([...times.flatMap(readingsOf), ...lower.flatMap((text) => statedValues(text).map(String))]);
}

const TIME = /\d{1,2}:\d{2}/g;

/** Numbers that the user, an argument or an error states: an agent can compute with them without a tool. */
function givenNumbers(trace: Trace, failed: readonly ToolUse[]): number[] {
  const turns = conversation(trace).filter(({ by }) => by === 'user' || by === 'system');
  const texts = [
    trace.task ?? '',
    ...turns.map(({ text }) => text),
    ...failed.flatMap(({ argumentsText, failure }) => [argumentsText, failure!.message]),
  ];
  const numbers = [...knownValues(texts)].map(Number);
  return [...UNIT_FACTORS, ...numbers.filter((number) => number > 0).slice(-NUMBERS_LIMIT)];
}

const NUMBERS_LIMIT = 100;
/** Between percent and shares, and between units of length, mass and time. */
const UNIT_FACTORS = [60, 100, 1000];

/** Whether a value is the sum, difference, product or ratio of two given numbers, rounded as it is written. */
function isDerived(value: string, given: readonly number[]): boolean {
  const decimals = value.split('.')[1]?.length ?? 0;
  const isEqual = (computed: number) => String(Number(computed.toFixed(decimals))) === value;
  return given.some((a) => given.some((b) => [a + b, a - b, a * b, a / b].some(isEqual)));
}

export function valueDraft(
  trace: Trace,
  { answer, values, failed }: ValuesWithoutResult,
): DetectionDraft<'value_without_result'> {
  const { name, spanId } = trace.steps[answer.step]!;
  const who = answer.agent ?? name;
  const last = failed.at(-1)!;
  const named = joined(values.slice(0, 3).map((value) => `"${value}"`));
  const tools = joined([...new Set(failed.map((use) => use.name))].slice(0, 3));
  const error = quotedError(last.failure!.message, 120);
  const since = failed.length === toolUses(trace).length ? '' : ' since the last message of the user';
  const calls =
    failed.length === 1
      ? `The only call${since}, ${last.name} at step ${last.step},`
      : `All ${counted(failed.length, 'call')}${since}, the last one ${last.name} at step ${last.step},`;
  return {
    subtype: 'value_without_result',
    score: 0.8,
    step: answer.step,
    steps: [answer.step, ...failed.map(({ step }) => step)],
    agent: answer.agent,
    explanation: `${calls} failed (${error}). The answer of ${who} at step ${answer.step} does not mention the failure and states ${named}, which no recorded prompt, message or result contains.`,
    suggestedAction: `Do not use ${named}. Make ${tools} work and run the request again, or tell the user that ${tools} gave no result.`,
    evidence: [
      { kind: 'text', spanId, path: 'output', quote: cut(answer.text.trim(), 250), value: values[0]! },
      {
        kind: 'error',
        spanId: trace.steps[last.step]!.spanId,
        path: 'tool.result',
        quote: last.failure!.message,
        value: null,
      },
    ],
    fixes: [blockFix(who, tools), admitFix(trace, answer.agent, who, tools)],
    key: who,
  };
}

function blockFix(who: string, tools: string): Fix {
  return checkFix('workflow_change', {
    title: 'Check answers for values if every call failed',
    target: `final answer of ${who}`,
    description: `Keep the outcomes of the calls in the state. If no call worked and ${who} ends with an answer, hand the errors back to it once; if the answer still does not name them, send the error of ${tools} instead of the answer.`,
    after: 'if no call of the run worked: send the error instead of an answer that does not name it',
    why: 'The answer states a value, and no call returned one.',
  });
}

function admitFix(trace: Trace, agent: string | null, who: string, tools: string): Fix {
  return ruleFix(trace, agent, {
    title: `Let ${who} say that ${tools} failed`,
    rule: `If ${tools} returns an error, say so in your answer. State a value only if a result of this conversation contains it.`,
    why: `${who} answered as if ${tools} had returned a value.`,
  });
}
