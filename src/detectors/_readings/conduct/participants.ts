import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { USER_NAMES } from '../calls/written-calls.ts';

/** A single named speaker in the role of the user may be the user. */
const MIN_SPEAKERS = 2;

/**
 * Names of the agents of a group chat that speak in the role of the user: a model receives the messages of all other agents
 * in that role. Empty if there are fewer than two such speakers. Names inherited from a parent span are ignored.
 */
export const chatParticipants = memoizeByRef((trace: Trace): ReadonlySet<string> => {
  const names = trace.steps.flatMap(({ kind, agent, name, parent, outputMessages }) => {
    const role = outputMessages[0]?.role ?? name;
    if (kind !== 'message' || role !== 'user' || agent === null || USER_NAMES.has(agent.toLowerCase())) return [];
    return parent !== null && trace.steps[parent]!.agent === agent ? [] : [agent];
  });
  const participants = new Set(names);
  return participants.size < MIN_SPEAKERS ? new Set() : participants;
});
