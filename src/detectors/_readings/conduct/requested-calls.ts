import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import type { ToolUse } from '../calls/calls.ts';
import { agentTurns, type ConversationTurn, conversation } from './conversation.ts';

/** Whether the last turn before the call is one of an agent and requested it. A workflow may run a call by itself. */
export function isRequestedCall(trace: Trace, use: ToolUse): boolean {
  const asking = conversation(trace).findLast(({ step }) => step < use.step);
  return asking?.by === 'agent' && isRequestedIn(asking, use);
}

/**
 * Names of the calls that a turn requested. Some formats do not record which calls a model requests: if no turn of the run
 * has any, these are the calls of its agent that follow it directly.
 */
export function requestedNames(trace: Trace, { calls, step, agent }: ConversationTurn): readonly string[] {
  if (recordsRequests(trace)) return calls;
  const names: string[] = [];
  for (const { kind, agent: caller, tool, name } of trace.steps.slice(step + 1)) {
    if (kind !== 'tool' || caller !== agent) break;
    names.push(tool?.name ?? name);
  }
  return names;
}

const recordsRequests = memoizeByRef((trace: Trace) => agentTurns(trace).some(({ calls }) => calls.length > 0));

/** Whether the turn requested the call, as a structured call or in its text. */
export function isRequestedIn({ calls, text }: ConversationTurn, use: ToolUse): boolean {
  return calls.includes(use.name) || isWrittenOut(text, use);
}

/** Whether the agent's last message before the call consists of the call only: the agent has no other way to answer. */
export function isWholeMessage(trace: Trace, { step, command, arguments: args }: ToolUse): boolean {
  const asking = conversation(trace).findLast((turn) => turn.step < step);
  const call = command ?? (typeof args === 'string' ? args : '');
  return (
    asking?.by === 'agent' && asking.calls.length === 0 && call.trim() !== '' && asking.text.trim() === call.trim()
  );
}

/** Largest distance between the name of a tool and its argument: `search[…]`, or `Action: search` above `Action Input: …`. */
const NAME_REACH = 40;
const MAX_ARGUMENT_LENGTH = 200;

/**
 * Whether a text contains the call in ReAct notation: the name of the tool, followed by the argument. Code that was run
 * does not count.
 */
function isWrittenOut(text: string, { name, command, arguments: args }: ToolUse): boolean {
  if (command !== null || typeof args !== 'string' || name.length < 3 || args.length > MAX_ARGUMENT_LENGTH)
    return false;
  const argument = args.trim();
  if (argument === '' || argument.includes('\n')) return false;
  const at = text.lastIndexOf(argument);
  if (at < 0) return false;
  const before = text.slice(Math.max(0, at - NAME_REACH - name.length), at).toLowerCase();
  return before.includes(name.toLowerCase()) && !before.includes('```');
}
