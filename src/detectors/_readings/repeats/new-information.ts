import type { Step, Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { withoutVolatile } from '../../_kit/normalise.ts';
import { outputPunctuation } from '../../_kit/punctuation-hash.ts';
import { lettersAndDigits } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { executionSteps } from '../conduct/executions.ts';
import { isTransferTool, nextAct } from '../conduct/handoffs.ts';
import { stateWork } from '../conduct/state-change.ts';
import { passesTime } from '../conduct/waiting-calls.ts';
import { isUserTurn } from './actors.ts';

/**
 * Ascending steps with new information other than a call: an agent wrote a new text, the state changed in a new way, or
 * time passed because a call waited for it. Calls before and after such a step are separate work.
 */
export const newInformationSteps = memoizeByRef((trace: Trace): readonly number[] =>
  [...newTexts(trace), ...newStates(trace), ...timedWaits(trace)].sort((a, b) => a - b),
);

function timedWaits(trace: Trace): number[] {
  return toolUses(trace).flatMap((use) => (passesTime(trace, use) ? [use.step] : []));
}

/** Whether a call hands control to another agent. Its receiver does the work, not the call. */
export function isHandoffCall(trace: Trace, { step, agent, name, argumentsText }: ToolUse): boolean {
  return isTransferTool(trace, name) || (NO_ARGUMENTS.has(argumentsText) && namesNextAgent(trace, step, agent, name));
}

const NO_ARGUMENTS = new Set(['', '{}', 'null']);

function isHandoffStep(trace: Trace, { index, agent, name, tool, input }: Step): boolean {
  const called = tool?.name ?? name;
  return isTransferTool(trace, called) || (NO_ARGUMENTS.has(input) && namesNextAgent(trace, index, agent, called));
}

/** Whether the tool is named after the agent that acts next. */
function namesNextAgent(trace: Trace, step: number, agent: string | null, tool: string): boolean {
  const next = agent === null ? null : (nextAct(trace, step)?.agent ?? null);
  return next !== null && next !== agent && isNamedAfter(tool, next);
}

function newTexts(trace: Trace): number[] {
  const texts = trace.steps.filter(
    (step) => step.kind === 'llm' && step.output.trim() !== '' && !isUserTurn(step) && !announcesCall(trace, step),
  );
  // Most texts of a run occur once. A hash of their punctuation shows this at low cost.
  const groups = [...Map.groupBy(texts, outputPunctuation).values()];
  const firsts = groups.flatMap((steps) => (steps.length === 1 ? steps : firstOfEachText(steps)));
  return firsts.map(({ index }) => index).sort((a, b) => a - b);
}

function firstOfEachText(steps: readonly Step[]): Step[] {
  return [...Map.groupBy(steps, ({ output }) => withoutVolatile(output)).values()].map(([first]) => first!);
}

/** Whether a text only accompanies a call, whichever agent executes the call. */
function announcesCall(trace: Trace, step: Step): boolean {
  const requests = step.outputMessages.flatMap(({ toolCalls }) => toolCalls);
  if (requests.some(({ name }) => !isTransferTool(trace, name))) return true;
  const next = nextAct(trace, step.index);
  if (next?.kind === 'tool' && isHandoffStep(trace, next)) return false;
  if (next?.kind === 'message' && executionSteps(trace).has(next.index)) return true;
  // If model answers name their calls, a text without a call is an answer.
  if (namesCalls(trace)) return false;
  return next?.kind === 'tool' || (next?.kind === 'llm' && (next.agent === null || next.agent === step.agent));
}

const namesCalls = memoizeByRef((trace: Trace) =>
  trace.steps.some(
    ({ kind, outputMessages }) => kind === 'llm' && outputMessages.some(({ toolCalls }) => toolCalls.length > 0),
  ),
);

function newStates(trace: Trace): number[] {
  const known = new Set<string>();
  return [...stateWork(trace)].flatMap(([step, change]) => {
    if (change === null || change === '' || known.has(change)) return [];
    known.add(change);
    return [step];
  });
}

function isNamedAfter(tool: string, agent: string): boolean {
  const [own, other] = [tool, agent].map(lettersAndDigits);
  return other!.length >= 3 && own!.includes(other!);
}
