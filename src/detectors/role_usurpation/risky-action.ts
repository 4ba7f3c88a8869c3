import type { Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_kit/calls.ts';
import type { Request } from '../_readings/conduct/user-request.ts';

/** Something a call does that its agent was not there for. */
export interface RiskyAction {
  /** Goes on after "it": `deletes ~/photos`. */
  does: string;
  /** Why that is wrong here, as a sentence about the trace. */
  why: string;
  /** What stays the same when it happens again in another run: the kind of risky action. */
  key: string;
  /** Cannot be taken back, and hits more than one thing. */
  isIrreversible: boolean;
  /** Worth knowing, and no alarm. */
  isMinor?: true;
  /** What a user says who wants it. */
  request: Request;
  /** Places it hits, as a user would write them in full: a user who names one may have asked for it in other words. */
  places?: readonly string[];
  /** What to do instead, as an imperative sentence. */
  instead: string;
  /** The piece of the call's text that does it. */
  quote: string;
  /** Prefix of such commands, for rules of permissions: `git push --force`. */
  prefix: string;
}

/** Where a call stands. */
export interface CallContext {
  trace: Trace;
  use: ToolUse;
  /** Of the call, after the `cd`s before it; null if not known. */
  directory: string | null;
}
