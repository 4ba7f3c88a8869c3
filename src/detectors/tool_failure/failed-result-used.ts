import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { quotedError } from '../_kit/quoted-error.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn, conversation } from '../_readings/conduct/conversation.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { hasReservation } from '../_readings/conduct/reservations.ts';
import { emailsIn } from '../_readings/support/emails.ts';
import { identifiersIn, linksIn } from '../_readings/support/exact-values.ts';
import { admissionIn } from './admission.ts';

/** A result that reports an error next to data, and an answer that passes on a value of the data. */
export interface FailedResultUsed {
  use: ToolUse;
  answer: ConversationTurn;
  value: string;
}

const DECIMAL = /(?<![\d.,])\d{1,9}[.,]\d{1,4}(?![.,]?\d)/g;

/**
 * The last answer contains a link, address, identifier or decimal number that only a failed result contains, outside its
 * error message. Null if the answer mentions the error or contains a negation.
 */
export function failedResultUsed(trace: Trace): FailedResultUsed | null {
  const uses = toolUses(trace);
  const failed = uses.filter(({ failedBy, refusal, command }) => failedBy === 'result' && !refusal && command === null);
  const answer = agentTurns(trace).at(-1);
  if (
    !isWhole(trace) ||
    failed.length === 0 ||
    answer === undefined ||
    answer.calls.length > 0 ||
    hasReservation(answer.text)
  )
    return null;
  const values = valuesIn(answer.text);
  if (values.length === 0) return null;
  const asked = conversation(trace).filter(({ by }) => by !== 'agent');
  const known = [trace.task ?? '', ...asked.map(({ text }) => text), ...uses.map(({ argumentsText }) => argumentsText)];
  for (const use of failed) {
    const others = uses.filter((other) => other.resultText !== use.resultText).map(({ resultText }) => resultText);
    const { message } = use.failure!;
    if (use.step > answer.step || admissionIn(answer.text, { error: message, passed: use.argumentsText }) === 'admits')
      continue;
    const value = values.find(
      (one) =>
        use.resultText.includes(one) &&
        !message.includes(one) &&
        ![...known, ...others].some((text) => text.includes(one)),
    );
    if (value !== undefined) return { use, answer, value };
  }
  return null;
}

function valuesIn(text: string): string[] {
  const decimals = Array.from(text.matchAll(DECIMAL), ([value]) => value);
  return [...linksIn(text), ...emailsIn(text), ...identifiersIn(text), ...decimals];
}

export function failedResultUsedDetection(
  trace: Trace,
  { use, answer, value }: FailedResultUsed,
): DetectionDraft<'failed_result_used'> {
  const who = answer.agent ?? trace.steps[answer.step]!.name;
  const error = quotedError(use.failure!.message, 120);
  const shown = cut(value, 100);
  return {
    subtype: 'failed_result_used',
    score: 0.78,
    step: answer.step,
    steps: [use.step, answer.step],
    agent: answer.agent,
    explanation: `${use.name} returned an error at step ${use.step} (${error}) together with "${shown}". The answer of ${who} at step ${answer.step} passes on "${shown}", which no other result contains, and does not mention the error.`,
    suggestedAction: `Do not use "${shown}". Remove the cause of ${error}, call ${use.name} again, and answer with the new result.`,
    evidence: [
      {
        kind: 'call',
        spanId: trace.steps[use.step]!.spanId,
        path: 'tool.result',
        quote: cut(oneLine(use.resultText), 250),
        value: null,
      },
      {
        kind: 'text',
        spanId: trace.steps[answer.step]!.spanId,
        path: 'output',
        quote: cut(answer.text.trim(), 250),
        value,
      },
    ],
    fixes: [
      checkFix('tool_change', {
        title: `Return errors of ${use.name} without data`,
        target: `results of ${use.name}`,
        description: `If ${use.name} fails, return the error alone and mark the call as failed, so that a model cannot take the other fields for a valid result.`,
        after: `${use.name}: if it fails, raise the error, or return {"error": "…"} without other fields`,
        why: `The result at step ${use.step} contains an error and "${shown}".`,
      }),
      ruleFix(trace, answer.agent, {
        title: `Let ${who} read the error of a result first`,
        rule: `If a result of ${use.name} contains an error, do not use its other fields. Say what failed, or call ${use.name} again.`,
        why: `${who} passed on a value of a result that reports an error.`,
      }),
    ],
    key: use.name,
  };
}
