import type { ConversationFigures } from '../../core/conversation.ts';
import { jsonWithLists } from '../../core/json-text.ts';
import type { Span } from '../../core/span.ts';
import type { Trace } from '../../core/trace.ts';
import { conversationOf, readTurns } from '../../formats/conversation/read-turns.ts';
import { buildTrace } from '../../formats/trace-model/build-trace.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { mergeChunks } from '../../store/span-chunk.ts';
import { defineTask, type OffloadContext } from '../offload/task.ts';
import { type TurnRecord, toTurnRecord } from './conversation.record.ts';

interface ConversationTrace {
  tenantNo: number;
  traceId: string;
}

export interface TurnList {
  conversation_id: string;
  items: TurnRecord[];
  total: number;
}

export const turnsTask = defineTask<TurnList>()<ConversationTrace & { conversationId: string }>({
  name: 'conversations.turns',
  kind: 'read',
  async *run(context, { conversationId, ...address }) {
    const { trace, spans } = await load(context, address);
    const turns = readTurns(trace, spans);
    yield* jsonWithLists({ conversation_id: conversationId, total: turns.length }, { items: turns.map(toTurnRecord) });
  },
});

/** Null if the trace was not sent as a conversation. */
export const conversationFiguresTask = defineTask<ConversationFigures | null>()<ConversationTrace>({
  name: 'conversations.figures',
  kind: 'read',
  async *run(context, address) {
    const { trace, spans } = await load(context, address);
    yield JSON.stringify(conversationOf(trace, spans));
  },
});

export const conversationTasks = [turnsTask, conversationFiguresTask];

async function load(
  { db, models }: OffloadContext,
  { tenantNo, traceId }: ConversationTrace,
): Promise<{ trace: Trace; spans: Span[] }> {
  const spans = mergeChunks(await readChunks(db, tenantNo, traceId), traceId);
  return { trace: buildTrace(spans, { models, isSettled: true }), spans };
}
