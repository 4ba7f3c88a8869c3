import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { JsonText } from '../../core/json-text.ts';
import type { Rejection } from '../../core/span.ts';
import {
  type ConversationFilter,
  countConversations,
  listConversations,
  readConversation,
  readConversationOfTrace,
} from '../../store/conversation.store.ts';
import { detectionsOfTraces } from '../../store/detection.store.ts';
import type { ConversationTable, Database } from '../../store/schema.ts';
import { readTrace, readTraces } from '../../store/trace.store.ts';
import type { CallOptions } from '../_kit/caller.ts';
import { createCountCache } from '../_kit/count-cache.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { PreparedBody } from '../ingest/prepare.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import { type ConversationFacts, conversationTurns } from './conversation.decoder.ts';
import { type ConversationRecord, type IngestedConversation, toConversationRecord } from './conversation.record.ts';
import { conversationFiguresTask, type TurnList, turnsTask } from './conversation.tasks.ts';
import { storeConversation } from './store-conversation.ts';

export interface ConversationService {
  /**
   * Stores a conversation. Resending it is idempotent; resending it with more turns under the same name extends it.
   * @param body JSON of `conversationBody`; ownership passes to this function
   * @throws AppError `malformed`, `invalid_body` also if no turn can be read, `backpressure`, `unavailable`
   */
  ingest(tenantId: string, body: Buffer): Promise<IngestedConversation>;
  /** Newest start first. */
  list(tenantId: string, filter: ConversationFilter, page: PageRequest): Promise<Page<ConversationRecord>>;
  /** @throws AppError `not_found` */
  get(tenantId: string, conversationId: string): Promise<ConversationRecord>;
  turns(tenantId: string, conversationId: string, callOptions?: CallOptions): Promise<JsonText<TurnList>>;
  /** @throws AppError `not_found` */
  traceIdOf(tenantId: string, conversationId: string): Promise<string>;
}

export function createConversationService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tasks: TaskRunner;
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  tenantNoOf(tenantId: string): Promise<number>;
}): ConversationService {
  const { db, clock, tasks, tenantNoOf } = options;
  const { countOnce } = createCountCache(clock);

  async function find(tenantId: string, conversationId: string): Promise<ConversationTable> {
    const row = await readConversation(db, await tenantNoOf(tenantId), conversationId);
    if (row === null) throw new AppError('not_found', `There is no conversation ${conversationId}.`);
    return row;
  }

  async function toRecords(tenantNo: number, rows: readonly ConversationTable[]): Promise<ConversationRecord[]> {
    if (rows.length === 0) return [];
    const traceIds = rows.map((row) => row.trace_id);
    const traces = await readTraces(db, tenantNo, traceIds);
    const detections = await detectionsOfTraces(db, tenantNo, traceIds);
    return rows.map((row) => toConversationRecord(row, traces.get(row.trace_id), detections.get(row.trace_id) ?? []));
  }

  /** Spans of the received turns, with those of stored turns if a conversation of this name exists. */
  async function store(tenantId: string, tenantNo: number, prepared: PreparedBody<ConversationFacts>): Promise<void> {
    const traceId = prepared.traceIds[0]!;
    await options.ingest.ingestPrepared(tenantId, prepared);
    const figures = await (await tasks.start(conversationFiguresTask, { tenantNo, traceId }, { tenantNo })).value();
    const row = await readTrace(db, tenantNo, traceId);
    if (figures === null || row === null) return;
    const place = { tenantNo, traceId, startedAt: row.started_at };
    await storeConversation(db, place, figures, clock.now(), prepared.facts.contentHash);
  }

  return {
    async ingest(tenantId, body) {
      const tenantNo = await tenantNoOf(tenantId);
      const prepare = (bytes: Buffer, receivedAtMs: number) =>
        options.ingest.prepare(tenantId, conversationTurns, bytes, { receivedAtMs });
      // A worker takes ownership of the bytes, and an extended conversation is read a second time.
      let prepared = await prepare(Buffer.from(body), clock.now());
      const [traceId] = prepared.traceIds;
      if (traceId === undefined) throw noUsableTurns(prepared.errors);
      const known = await readConversationOfTrace(db, tenantNo, traceId);
      if (known?.content_hash !== prepared.facts.contentHash) {
        // Turns without times keep their order of arrival.
        if (known !== null) prepared = await prepare(body, known.started_at);
        await store(tenantId, tenantNo, prepared);
      }
      const row = await readConversationOfTrace(db, tenantNo, traceId);
      if (row === null) throw new AppError('unavailable', 'The conversation was removed while it was stored.');
      const [record] = await toRecords(tenantNo, [row]);
      return { ...record!, rejected_items: prepared.rejectedSpans, errors: prepared.errors };
    },
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const { after, ...range } = toRange(page);
      const position = after && { startedAt: after.at, conversationId: after.id };
      const rows = await listConversations(db, tenantNo, filter, { ...range, after: position });
      const total = await countOnce(JSON.stringify([tenantNo, filter]), () => countConversations(db, tenantNo, filter));
      const records = new Map(
        (await toRecords(tenantNo, rows)).map((record) => [record.conversation_id, record] as const),
      );
      return toPage(rows, total, page, {
        toItem: (row) => records.get(row.conversation_id)!,
        positionOf: (row) => ({ at: row.started_at, id: row.conversation_id }),
      });
    },
    async get(tenantId, conversationId) {
      const row = await find(tenantId, conversationId);
      return (await toRecords(row.tenant_no, [row]))[0]!;
    },
    async turns(tenantId, conversationId, callOptions) {
      const { tenant_no: tenantNo, trace_id: traceId } = await find(tenantId, conversationId);
      return tasks.start(turnsTask, { tenantNo, traceId, conversationId }, { tenantNo, ...callOptions });
    },
    traceIdOf: async (tenantId, conversationId) => (await find(tenantId, conversationId)).trace_id,
  };
}

function noUsableTurns(errors: Rejection[]): AppError {
  return new AppError('invalid_body', 'The data contain no readable turn.', {
    errors: errors.length > 0 ? errors : [{ pointer: '/data', message: 'contains no turns' }],
  });
}
