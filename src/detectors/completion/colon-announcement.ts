import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';

const ENDS_WITH_COLON = /[:：][*_`"'”」\s]{0,4}$/u;
/** One earlier message may end with a colon by chance. */
const MIN_EARLIER = 2;

/**
 * The earlier messages of the agent that end with a colon, if the last message ends with one and a call followed each of them. The
 * habit shows in any language that the last message announces a call. Empty otherwise.
 */
export function colonAnnouncements(trace: Trace, last: ConversationTurn): readonly ConversationTurn[] {
  if (!ENDS_WITH_COLON.test(last.text)) return [];
  const turns = agentTurns(trace);
  const earlier = turns.filter(
    ({ agent, step, text }) => step < last.step && agent === last.agent && ENDS_WITH_COLON.test(text),
  );
  const areFollowed = earlier.every((turn) => turn.calls.length > 0 || isFollowedByCall(trace, turns, turn));
  return earlier.length >= MIN_EARLIER && areFollowed ? earlier : [];
}

/** Whether the agent made a call after a message and before the next message. */
function isFollowedByCall(trace: Trace, turns: readonly ConversationTurn[], turn: ConversationTurn): boolean {
  const next = turns.find(({ step }) => step > turn.step)?.step ?? Number.POSITIVE_INFINITY;
  return toolUses(trace).some(({ step, agent }) => step > turn.step && step < next && agent === turn.agent);
}
