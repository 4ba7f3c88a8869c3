import { type Json, leafTexts } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { readArguments } from '../_readings/calls/tool-roles.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { containsValue, type RejectedValue, rejectedValue } from '../_readings/conduct/rejected-values.ts';
import { repairFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';

export interface IgnoredCorrection extends RejectedValue {
  message: ConversationTurn;
  answer: ConversationTurn;
  /** Calls between the message and the answer. */
  calls: readonly ToolUse[];
}

const ANSWER_LIMIT = 1_000;

/**
 * The last message of the user names two values and rejects one that the run had used before. The answer to it states the
 * rejected value and not the other one, and so does each call in between.
 */
export function findIgnoredCorrection(trace: Trace): IgnoredCorrection | null {
  if (!hasKnownEnd(trace) || !isComplete(trace) || trace.status === 'error' || trace.codingSession !== undefined)
    return null;
  const message = lastUserTurn(trace);
  const answer = agentTurns(trace).at(-1);
  if (message === null || answer === undefined || answer !== conversation(trace).at(-1)) return null;
  if (answer.calls.length > 0 || answer.text.length > ANSWER_LIMIT || answer.step < message.step) return null;
  const found = rejectedValue(message.text);
  if (found === null) return null;
  const { wanted, rejected } = found;
  if (!containsValue(answer.text, rejected) || containsValue(answer.text, wanted)) return null;
  if (hasReservation(answer.text) || endsWithQuestion(trace) || !wasUsed(trace, message, answer, found)) return null;
  const calls = toolUses(trace).filter(({ step, requestedAt }) => step > message.step || requestedAt > message.step);
  const isOld = ({ argumentsText, resultText, command }: ToolUse) =>
    command === null &&
    containsValue(plain(argumentsText), rejected) &&
    !containsValue(plain(`${argumentsText} ${resultText}`), wanted);
  return calls.every(isOld) ? { ...found, message, answer, calls } : null;
}

/** Values are read between spaces. */
function plain(json: string): string {
  return json.replace(/["{}[\],]/g, ' ');
}

/**
 * Whether the run had used the rejected value before the message, and not the other one: the message corrects it. A number
 * must be an argument of an earlier call: in texts, it may be the value that a program should return.
 */
function wasUsed(trace: Trace, message: ConversationTurn, answer: ConversationTurn, found: RejectedValue): boolean {
  const requested = trace.steps
    .flatMap(({ inputMessages }) => inputMessages)
    .filter(({ role }) => role === 'assistant');
  const turns = conversation(trace);
  const before = turns
    .slice(0, turns.indexOf(message))
    .filter(({ by, text }) => by === 'agent' && text !== answer.text);
  const args = [
    ...toolUses(trace)
      .filter(({ step }) => step < message.step)
      .map((use) => use.arguments),
    ...requested.flatMap(({ toolCalls }) => toolCalls.map((call) => readArguments(call.arguments))),
  ];
  const texts = [...requested.map(({ content }) => content), ...before.map(({ text }) => text)];
  const used =
    found.kind === 'number' ? args.flatMap(numbersIn) : [...texts, ...args.map((one) => plain(JSON.stringify(one)))];
  const isUsed = (value: string) => used.some((text) => containsValue(text, value));
  return isUsed(found.rejected) && !isUsed(found.wanted);
}

/** The arguments that are numbers. */
function numbersIn(args: Json): string[] {
  return leafTexts(args).filter((text) => /^\d{1,9}$/.test(text));
}

export function ignoredCorrectionDetection(
  trace: Trace,
  found: IgnoredCorrection,
): DetectionDraft<'ignored_correction'> {
  const { message, answer, calls, wanted, rejected } = found;
  const { name: stepName, spanId } = trace.steps[answer.step]!;
  const name = answer.agent ?? stepName;
  const said = cut(oneLine(message.text.trim()), 120);
  const made =
    calls.length === 0
      ? 'No call follows the message'
      : `Each call after the message (${[...new Set(calls.map((use) => use.name))].slice(0, 3).join(', ')}) passes "${rejected}"`;
  return {
    subtype: 'ignored_correction',
    score: 0.68,
    step: answer.step,
    steps: [...new Set([answer.step, message.step, ...calls.map(({ step }) => step)])],
    agent: answer.agent,
    explanation: `The last message of the user was "${said}". ${made}, and the answer of ${name} at step ${answer.step} states "${rejected}" and not "${wanted}".`,
    suggestedAction: `Repeat the request with "${wanted}", and check what was done with "${rejected}".`,
    evidence: [
      { kind: 'text', spanId, path: 'output', quote: cut(answer.text.trim(), 250), value: rejected },
      {
        kind: 'source',
        spanId: trace.steps[message.step]!.spanId,
        path: trace.steps[message.step]!.output.includes(message.text) ? 'output' : 'input_messages',
        quote: cut(message.text, 250),
        value: wanted,
      },
    ],
    fixes: [
      ruleFix(trace, answer.agent, {
        title: 'Use the value of the correction',
        rule: 'If the user replaces a value, use the new one in every call and in your answer, and repeat the call that had the old one.',
        why: `${name} kept "${rejected}" after "${said}".`,
      }),
      repairFix(answer.agent, {
        title: 'Send the correction again',
        repair: `The user wrote "${said}". Use "${wanted}", not "${rejected}", and say what you changed.`,
        why: 'The answer states the value that the user rejected.',
      }),
    ],
    key: name,
  };
}
