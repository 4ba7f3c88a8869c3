import { createHash } from 'node:crypto';
import type { ConversationFigures } from '../../core/conversation.ts';
import { newId } from '../../core/id.ts';
import { storableText } from '../../core/storable-text.ts';
import type { Db } from '../../store/connection.ts';
import { saveConversation } from '../../store/conversation.store.ts';

export interface ConversationTrace {
  tenantNo: number;
  traceId: string;
  /** Start or arrival of the trace, Unix milliseconds. */
  startedAt: number;
}

/** Stores a conversation. @returns its id, which stays as long as its trace does */
export function storeConversation(
  db: Db,
  { tenantNo, traceId, startedAt }: ConversationTrace,
  figures: ConversationFigures,
  now: number,
  contentHash: string | null = null,
): Promise<string> {
  const started = figures.startedAtMs === null ? startedAt : Math.floor(figures.startedAtMs);
  return saveConversation(db, {
    tenant_no: tenantNo,
    conversation_id: idOf(traceId, now),
    trace_id: traceId,
    format: figures.format,
    framework: storableText(figures.framework),
    participants: JSON.stringify(figures.participants),
    turn_count: figures.turnCount,
    total_tokens: figures.totalTokens,
    started_at: started,
    ended_at: figures.endedAtMs === null ? null : Math.ceil(figures.endedAtMs),
    content_hash: contentHash,
    created_at: now,
  });
}

/** The random part is derived from the trace id: two concurrent inserts create the same id. */
function idOf(traceId: string, now: number): string {
  const digest = createHash('sha256').update(traceId).digest();
  return newId('conv', { now: () => now }, (size) => digest.subarray(0, size));
}
