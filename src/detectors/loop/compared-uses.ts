import type { Trace } from '../../core/trace.ts';
import { refusalOf } from '../_coding/refusals.ts';
import { actOf } from '../_conduct/call-acts.ts';
import { executions } from '../_conduct/executions.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { onceEach } from '../_kit/once.ts';
import { isHandOver } from './news.ts';

/**
 * Calls that can be repetitions of one another: those that ran. Looking whether a running command has finished is no
 * repetition, a refused or cancelled call says nothing about the tool, and a hand-over is judged by what the receiver does.
 * Code that a chat runs counts as calls.
 */
export const comparedUses = onceEach((trace: Trace): readonly ToolUse[] => {
  const [calls, runs] = [toolUses(trace), executions(trace)];
  const uses = runs.length === 0 ? calls : [...calls, ...runs].sort((a, b) => a.step - b.step);
  return uses.filter((use) => actOf(trace, use) !== 'wait' && refusalOf(use) === null && !isHandOver(trace, use));
});
