import type { Fix } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isCompleteAfter } from '../_kit/completeness.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { earlierCalls, recordedCall, type ToolUse } from '../_readings/calls/calls.ts';
import { type CallAdvice, callAdvice } from '../_readings/conduct/call-advice.ts';
import { obstacleOf } from '../_readings/conduct/call-obstacle.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { runEndAfter } from '../_readings/conduct/run-end.ts';
import { echoes, resultKindsOf } from '../_readings/repeats/acknowledgement.ts';
import type { Repetition } from '../_readings/repeats/repetition.ts';
import { endsOnResult } from './call-evidence.ts';
import { callWithoutResult } from './lost-result.ts';
import { commonStartText, otherSourceAdvice } from './other-source.ts';
import { type UnchangedPage, unchangedPageAdvice, unchangedPageFix } from './unchanged-page.ts';

/** Obstacles whose advice also covers the next equal call. */
const ENDS_REPETITION: ReadonlySet<string> = new Set(['no_items', 'shared_answer', 'several_calls', 'echo']);

export interface RepetitionAdvice {
  action: string;
  /** Changes that do what the action says. */
  fixes: readonly Fix[];
  /** Whether a guard may reject further equal calls: their results are known. */
  isGuarded: boolean;
  /** What the calls of the run have in common, as a sentence with a leading space. */
  common?: string;
}

/** Advice for a repeated call. If no result is known, only how to find out whether something must change. */
export function repetitionAdvice(
  trace: Trace,
  uses: readonly ToolUse[],
  repetition: Repetition,
  { obstacle, remedy, fix }: CallAdvice,
  { isKnown, page }: { isKnown: boolean; page: UnchangedPage | null },
): RepetitionAdvice {
  const { at, isConsecutive } = repetition;
  const first = uses[at[0]!]!;
  const who = first.agent ?? 'the agent';
  if (!isKnown) return recordAdvice(first);
  if (obstacle.kind === 'result') return adviceOnResult(trace, uses, repetition, obstacle.line, { page, fix });
  if (obstacle.kind === 'empty' && endsOn(trace, uses[at.at(-1)!]!)) return otherSource(uses, first, '');
  if (obstacle.kind === 'hidden_error' && endsOn(trace, uses[at.at(-1)!]!)) {
    const other = otherSource(uses, first, '');
    return { ...other, action: `${remedy} ${other.action}`, fixes: [fix, ...other.fixes] };
  }
  if (ENDS_REPETITION.has(obstacle.kind)) return { action: remedy, fixes: [fix], isGuarded: true };
  const action = `${remedy} Nothing ${isCompleteAfter(trace, first.step) ? '' : 'recorded '}changed between ${isConsecutive ? `these ${at.length} calls` : 'the equal calls'}: reject the next equal call and tell ${who} that step ${first.step} already made it.`;
  return { action, fixes: [fix], isGuarded: true };
}

/** Advice if the call has a result: why the agent does not continue from it. */
function adviceOnResult(
  trace: Trace,
  uses: readonly ToolUse[],
  { at }: Repetition,
  line: string,
  { page, fix }: { page: UnchangedPage | null; fix: Fix },
): RepetitionAdvice {
  const [first, second, last] = [uses[at[0]!]!, uses[at[1]!]!, uses[at.at(-1)!]!];
  const who = first.agent ?? 'the agent';
  const request = callWithoutResult(trace, first, second);
  if (request !== null)
    return advised(
      `Keep the result of step ${first.step} ("${line}") among the messages of ${who}: the model call at step ${request.index}, before the second call, was sent without it.`,
      {
        fixType: 'context_management',
        title: 'Send the result of a call with the next model call',
        target: `messages of ${who}`,
      },
    );
  if (page !== null) return advised(unchangedPageAdvice(first, second, page), unchangedPageFix(first, page));
  const blocked = failedBetween(trace, uses, at);
  if (blocked !== null) {
    const advice = callAdvice(trace, blocked);
    return {
      action: `${advice.remedy} The repeated ${first.name} returned the same as at step ${first.step}.`,
      fixes: [advice.fix],
      isGuarded: true,
    };
  }
  if (endsOn(trace, last)) return otherSource(uses, first, line);
  const isPlain = !/\s/.test(line.trim()) || (first.changesState && echoes(first));
  const isConfirmed = isPlain && resultKindsOf(uses).isAcknowledgedAct(first);
  if (isConfirmed && isAnsweredAfter(trace, last)) return stateAdvice(first, line);
  const isAnswered = isAnsweredAfter(trace, last);
  if (hasKnownEnd(trace) && !isAnswered && !hasCallsAfter(trace, last))
    return {
      action: `Have ${who} answer with the result of step ${first.step} ("${line}") or change the call, and give it a way to end the run: the run ends on the repeated call at step ${last.step}, without an answer.`,
      fixes: [fix],
      isGuarded: true,
    };
  const call = `${first.name}${first.hasArguments ? ` ${cut(oneLine(first.argumentsText), 60)}` : ''}`;
  const action = `Instead of running ${call} a third time, tell ${who} that step ${second.step} had the same result as step ${first.step} ("${line}"): have it ${isAnswered ? `pass other arguments or call another tool${unusedTools(trace, uses)}` : `pass other arguments, call another tool${unusedTools(trace, uses)}, or answer with that result`}.`;
  return isAnswered
    ? advised(action, {
        fixType: 'loop_guard',
        title: `Do not run an equal call of ${first.name} a third time`,
        target: `tool loop of ${who}`,
      })
    : { action, fixes: [fix], isGuarded: true };
}

/** The result only confirms each call, so the agent cannot see from it whether one more is needed. */
function stateAdvice({ name, agent }: ToolUse, line: string): RepetitionAdvice {
  const result = line === '' ? 'An empty result' : `"${line}"`;
  const action = `Let ${name} return the state after the call: ${result} is the same after each one, so ${agent ?? 'the agent'} cannot see from it whether the call changed anything.`;
  const place = {
    fixType: 'tool_change',
    title: `Return what ${name} changed`,
    target: `result of ${name}`,
  } as const;
  return { ...advised(action, place), isGuarded: false };
}

/** No result is recorded: whether the calls have to be prevented is not known. */
function recordAdvice({ name, agent }: ToolUse): RepetitionAdvice {
  const action = `Record the results of ${name}, and check whether ${agent ?? 'the agent'} needs more than one of these calls.`;
  const place = {
    fixType: 'config_change',
    title: `Record the results of ${name}`,
    target: `telemetry of ${name}`,
  } as const;
  return { ...advised(action, place), isGuarded: false };
}

/** The run ended on the result, which is its answer. */
function otherSource(uses: readonly ToolUse[], repeated: ToolUse, line: string): RepetitionAdvice {
  const who = repeated.agent ?? 'the agent';
  const advice = advised(otherSourceAdvice(uses, repeated, line), {
    fixType: 'prompt_change',
    title: 'Change the source or the scope instead of repeating the call',
    target: `instructions of ${who}`,
  });
  return { ...advice, common: commonStartText(uses, repeated) };
}

/** Advice whose fix is the action itself. */
function advised(
  action: string,
  { fixType, title, target }: Pick<Fix, 'fixType' | 'title'> & { target: string },
): RepetitionAdvice {
  const why = 'The repeated call brought nothing that the first one had not brought.';
  return {
    action,
    fixes: [checkFix(fixType, { title, target, description: action, after: action, why })],
    isGuarded: true,
  };
}

/**
 * The other call between the repeated ones to which the advice refers; null if the advice is about the repeated call. Its
 * cause is stated in the text of the detection.
 */
export function blockedCall(
  trace: Trace,
  uses: readonly ToolUse[],
  { at }: Repetition,
  { obstacle }: CallAdvice,
  { isKnown, page }: { isKnown: boolean; page: UnchangedPage | null },
): ToolUse | null {
  if (!isKnown || obstacle.kind !== 'result' || page !== null) return null;
  return callWithoutResult(trace, uses[at[0]!]!, uses[at[1]!]!) === null ? failedBetween(trace, uses, at) : null;
}

/** The first other call of the agent between the repeated ones that shows an obstacle. */
function failedBetween(trace: Trace, uses: readonly ToolUse[], at: readonly number[]): ToolUse | null {
  const first = uses[at[0]!]!;
  const between = uses
    .slice(at[0]! + 1, at.at(-1)!)
    .filter((use) => use.agent === first.agent && use.argumentsText !== first.argumentsText);
  return between.find((use) => !NO_OBSTACLE.has(obstacleOf(trace, use).kind)) ?? null;
}

/** Whether the run ended on the result of this call, which is its answer. */
function endsOn(trace: Trace, { step }: ToolUse): boolean {
  return endsOnResult(runEndAfter(trace, step));
}

const NO_OBSTACLE: ReadonlySet<string> = new Set(['result', 'shared_answer', 'empty', 'hidden_error', 'no_items']);
const MAX_TOOLS = 3;

/** Declared tools that the run never called. */
function unusedTools({ toolDefinitions }: Trace, uses: readonly ToolUse[]): string {
  const used = new Set(uses.map(({ name }) => name));
  const names = toolDefinitions.map(({ name }) => name).filter((name) => !used.has(name));
  return names.length === 0 ? '' : ` (not called yet: ${names.slice(0, MAX_TOOLS).join(', ')})`;
}

export function isAnsweredAfter(trace: Trace, use: ToolUse): boolean {
  const isEarlier = earlierCalls(trace).includes(recordedCall(use));
  return trace.steps.some(
    ({ index, kind, output, outputMessages }) =>
      (index > use.step || (isEarlier && index === use.step)) &&
      kind === 'llm' &&
      output.trim() !== '' &&
      outputMessages.every(({ toolCalls }) => toolCalls.length === 0),
  );
}

function hasCallsAfter(trace: Trace, last: ToolUse): boolean {
  return trace.steps.some(({ index, kind }) => index > last.step && kind === 'tool');
}
