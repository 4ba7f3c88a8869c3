import type { Trace } from '../../../core/trace.ts';
import { type ConversationTurn, conversation } from './conversation.ts';

/** The last message that a user wrote; null without one. */
export function lastUserTurn(trace: Trace): ConversationTurn | null {
  return conversation(trace).findLast(({ by }) => by === 'user') ?? null;
}
