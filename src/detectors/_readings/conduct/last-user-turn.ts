import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { toolUses } from '../calls/calls.ts';
import { type ConversationTurn, conversation } from './conversation.ts';

const COMPARED_CHARACTERS = 60;
const MIN_CHARACTERS = 4;

/**
 * The last message that a user wrote. Some frameworks hand the results of calls to the model as messages of the user: these do
 * not count.
 */
export const lastUserTurn = memoizeByRef((trace: Trace): ConversationTurn | null => {
  const uses = toolUses(trace);
  const starts = uses
    .flatMap(({ resultText, failure }) => [resultText, failure?.message ?? ''])
    .map((text) => text.trimStart().split('\n', 1)[0]!.slice(0, COMPARED_CHARACTERS))
    .filter((start) => start.length >= MIN_CHARACTERS);
  const isResult = (text: string) => starts.some((start) => text.trimStart().startsWith(start));
  return conversation(trace).findLast(({ by, text }) => by === 'user' && !isResult(text)) ?? null;
});
