import type { CallRefusal, Trace } from '../../../core/trace.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { isRefusal } from '../conduct/call-outcome.ts';

/** A tool call that was not allowed to run. */
export interface RefusedCall extends CallRefusal {
  step: number;
  tool: string;
  use: ToolUse;
}

/**
 * Refused calls in order. If the sender does not mark refusals, the error text decides; the result of a call that ran is
 * never used. Calls that the agent's own program cancelled are included with `by: 'harness'`.
 */
export function refusals(trace: Trace): RefusedCall[] {
  return toolUses(trace).flatMap((use) => {
    const refusal = refusalOf(use);
    return refusal === null ? [] : [{ ...refusal, step: use.step, tool: use.name, use }];
  });
}

/** Who refused a call and why; null if the call was allowed to run. */
export function refusalOf(use: ToolUse): CallRefusal | null {
  return use.refusal ?? refusalInFailure(use);
}

/** Whether a person or a policy refused the call. */
export function isDecided({ by }: CallRefusal): boolean {
  return by !== 'harness';
}

function refusalInFailure({ failure }: ToolUse): CallRefusal | null {
  if (failure === null || !(failure.code === 'permission_denied' || isRefusal(failure.message))) return null;
  if (CANCELLED.test(failure.message)) return { by: 'harness', reason: null };
  return { by: /\b(?:polic(?:y|ies)|hook|sandbox)\b/i.test(failure.message) ? 'policy' : 'user', reason: null };
}

/** Text of calls that the agent's program cancelled because a parallel call failed. */
const CANCELLED = /sibling tool call|parallel call (?:failed|errored)/i;
