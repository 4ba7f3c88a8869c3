import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { wasteOf } from '../_readings/calls/waste.ts';
import type { CallSubtype } from './call-evidence.ts';
import type { Repeated } from './fixes.ts';

export interface RepeatedCalls {
  calls: readonly ToolUse[];
  first: ToolUse;
  last: ToolUse;
  /** Names for the fixes. */
  repeated: Repeated;
  /** Location of the repetition, and its cost. */
  place: Pick<DetectionDraft<CallSubtype>, 'step' | 'steps' | 'agent' | 'wastedTokens' | 'wastedCostUsd'>;
}

/**
 * At least two calls of one tool. The repetition begins at the second.
 * @param at positions in the list of uses
 * @param wasted steps without progress; if omitted, all calls except the first
 */
export function repeatedCalls(
  trace: Trace,
  uses: readonly ToolUse[],
  at: readonly number[],
  { models }: Pick<DetectorOptions, 'models'>,
  wasted?: readonly number[],
): RepeatedCalls {
  const calls = at.map((position) => uses[position]!);
  const [first, second] = calls as [ToolUse, ToolUse];
  const steps = calls.map(({ step }) => step);
  const placed = second.requestedAt === second.step ? steps : [steps[0]!, second.requestedAt, ...steps.slice(1)];
  return {
    calls,
    first,
    last: calls.at(-1)!,
    repeated: { trace, agent: first.agent, what: first.name, times: calls.length },
    place: {
      step: second.requestedAt,
      steps: placed,
      agent: first.agent,
      ...wasteOf(trace, wasted ?? steps.slice(1), models),
    },
  };
}
