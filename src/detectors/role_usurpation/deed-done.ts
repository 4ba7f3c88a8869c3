import { type CallOutcome, outcomeOf } from '../_conduct/call-outcome.ts';
import { isAskedFor, isWrittenByUser } from '../_conduct/user-request.ts';
import type { ToolUse } from '../_kit/calls.ts';
import type { Deed, Scene } from './deed.ts';

/** A deed that nobody asked for, and how far it came. */
export interface DeedDone {
  deed: Deed;
  use: ToolUse;
  outcome: CallOutcome;
}

/** None where a user asked for it, or where the call may still be refused. */
export function doneUnasked({ trace, use }: Scene, deed: Deed | null): DeedDone[] {
  if (deed === null || isAskedFor(trace, use.step, deed.asked)) return [];
  if ([deed.quote, use.command ?? ''].some((text) => isWrittenByUser(trace, use.step, text))) return [];
  const outcome = outcomeOf(trace, use);
  return outcome === 'open' && !trace.isSettled ? [] : [{ deed, use, outcome }];
}
