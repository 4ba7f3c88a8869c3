import type { Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import type { Request } from '../_readings/conduct/user-request.ts';

/** A harmful action of a call that is outside the agent's task. */
export interface RiskyAction {
  /** Continues a sentence after "it": `deletes ~/photos`. */
  does: string;
  /** Why the action is wrong here, as a sentence about the trace. */
  why: string;
  /** Kind of action: the part that stays the same in other runs. */
  key: string;
  /** Whether it cannot be undone and affects more than one thing. */
  isIrreversible: boolean;
  /** Whether its detection is at most info. */
  isMinor?: true;
  /** How a user requests the action. */
  request: Request;
  /** Affected paths in full. A user who writes one of them may have requested the action in other words. */
  places?: readonly string[];
  /** Alternative, as an imperative sentence. */
  instead: string;
  /** The responsible part of the call's text. */
  quote: string;
  /** Prefix of such commands for permission rules: `git push --force`. */
  prefix: string;
}

/** Context of a call. */
export interface CallContext {
  trace: Trace;
  use: ToolUse;
  /** Working folder of the call, after preceding `cd`s; null if unknown. */
  directory: string | null;
}
