import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { earlierCalls, type ToolUse, toolUses, unansweredCalls } from '../calls/calls.ts';
import { refusalOf } from '../coding/refusals.ts';
import { actOf } from '../conduct/call-acts.ts';
import { executions } from '../conduct/executions.ts';
import { isHandoffCall } from './new-information.ts';

/**
 * Calls that can be repetitions of each other: those that ran. Polling a running command is not a repetition, a refused or
 * cancelled call says nothing about the tool, and a handoff is judged by the work of the receiver. Code that a chat runs
 * counts as calls. A call in a model's answer without a result did not run, if the messages contain the results of others.
 */
export const comparedUses = memoizeByRef((trace: Trace): readonly ToolUse[] => {
  const [calls, runs] = [[...earlierCalls(trace), ...toolUses(trace)], executions(trace)];
  const uses = runs.length === 0 ? calls : [...calls, ...runs].sort((a, b) => a.step - b.step);
  const unanswered = unansweredCalls(trace);
  return uses.filter(
    (use) =>
      actOf(trace, use) !== 'wait' && refusalOf(use) === null && !isHandoffCall(trace, use) && !unanswered.has(use),
  );
});
