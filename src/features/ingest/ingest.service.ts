import type { Kysely, Transaction } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { boundedFieldErrors } from '../../core/bounded-errors.ts';
import type { Clock } from '../../core/clock.ts';
import type { Decoded, Refusal, Span } from '../../core/span.ts';
import { isOfSession } from '../../formats/hooks/session-span.ts';
import { decodeOtlpJson } from '../../formats/otlp/decode-json.ts';
import { decodeOtlpProtobuf } from '../../formats/otlp/decode-protobuf.ts';
import type { Redactor } from '../../formats/redaction/redactor.ts';
import { claimOnce } from '../../store/drained-file.store.ts';
import { addFigures } from '../../store/figure.store.ts';
import { type Job, scheduleJobs, scheduleSoonest } from '../../store/job.store.ts';
import type { Database } from '../../store/schema.ts';
import {
  type ChunkWrite,
  insertChunks,
  readNewestSequence,
  writeNewestSequence,
} from '../../store/span-chunk.store.ts';
import { encodeChunk } from '../../store/span-chunk.ts';
import { toStorageError } from '../../store/storage-failure.ts';
import { type TouchedTrace, type TraceTouch, touchTraces } from '../../store/trace.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { TraceQuota } from '../billing/trace-quota.ts';
import { ingestFigures } from '../metrics/figure-growth.ts';
import { createGroupCommitter, systemTimer, type Timer } from './group-committer.ts';
import { groupByTrace, mergeTouches, toTouch } from './trace-touch.ts';

export interface IngestRequest {
  encoding: 'json' | 'protobuf';
  /** Unpacked. */
  body: Buffer;
}

export interface IngestReply {
  acceptedSpans: number;
  rejectedSpans: number;
  traceIds: string[];
  /** The first hundred refusals. */
  errors: Refusal[];
}

export interface IngestSpansOptions {
  onceKey?: string;
  isHistory?: boolean;
  alongside?(transaction: Transaction<Database>): Promise<void>;
}

export interface IngestService {
  /** Stores an OTLP body. Resolves after the commit. @throws AppError `malformed`, `invalid_body`, `backpressure`, `unavailable`, `storage_unavailable` */
  ingest(tenantId: string, request: IngestRequest): Promise<IngestReply>;
  /** The same for a body that `decode` reads. @throws what it throws */
  ingestLive(tenantId: string, decode: () => Decoded): Promise<IngestReply>;
  /**
   * Stores decoded spans. With `onceKey` they and the key are committed together, and a key seen before stores nothing:
   * then `isDuplicate` is true. What `alongside` writes is committed together with them, or with what it throws nothing
   * is. What is sent as history alerts nobody.
   */
  ingestSpans(
    tenantId: string,
    decoded: Decoded,
    options?: IngestSpansOptions,
  ): Promise<IngestReply & { isDuplicate: boolean }>;
  /** Spans that wait for the disk. */
  queueDepth(): number;
  /** Queue depth from which senders are refused. */
  queueLimit(): number;
  /** Resolves when all that was accepted so far is committed. */
  flush(): Promise<void>;
}

export interface IngestOptions {
  db: Kysely<Database>;
  clock: Clock;
  redactor: Redactor;
  tenantNoOf(tenantId: string): Promise<number>;
  /** Called after a commit that touched traces. */
  onTracesChanged(): void;
  settleMs?: number;
  idleMs?: number;
  liveMs?: number;
  maxQueuedSpans?: number;
  /** Bounds the traces of a day; null or left out: nothing does. */
  quota?: TraceQuota | null;
  timer?: Timer;
  /** Refuses while nothing can be stored. @throws AppError `storage_unavailable` */
  assertStorable?(): void;
}

/** A trace is judged this long after its root has ended and nothing more came. */
const SETTLE_MS = 2_000;
/** Without a root end, this long after the last span. */
const IDLE_MS = 30_000;
const GROUP_WAIT_MS = 10;
const GROUP_SPANS = 2_000;
const MAX_QUEUED_SPANS = 50_000;

/** Of a session that goes on the findings are wanted now; it is looked at this often while it grows. */
const LIVE_MS = 5_000;

interface Write {
  chunk: ChunkWrite;
  touch: TraceTouch;
  /** It tells of a coding agent's session as it runs. */
  isLive: boolean;
}

function keyOf({ tenantNo, traceId }: { tenantNo: number; traceId: string }): string {
  return `${tenantNo} ${traceId}`;
}

function toJob({ tenantNo, traceId }: TouchedTrace, runAt: number): Job {
  return { tenantNo, kind: SETTLE_JOB, key: traceId, runAt };
}

export async function createIngestService(options: IngestOptions): Promise<IngestService> {
  const { db, clock, redactor } = options;
  const nextSequence = createSequence(await readNewestSequence(db), clock);
  const maxWeight = options.maxQueuedSpans ?? MAX_QUEUED_SPANS;
  const committer = createGroupCommitter<Write>({
    commit: (writes) =>
      inTransaction(db, (transaction) => commit(transaction, writes)).then(options.onTracesChanged, refuse),
    weigh: (write) => write.touch.newSpans,
    groupWeight: GROUP_SPANS,
    waitMs: GROUP_WAIT_MS,
    maxWeight,
    timer: options.timer ?? systemTimer,
  });

  async function commit(transaction: Parameters<typeof insertChunks>[0], writes: Write[]): Promise<void> {
    const now = clock.now();
    const fresh = await insertChunks(
      transaction,
      writes.map((write) => write.chunk),
    );
    const touches = writes.map(({ touch }) => (fresh.has(touch.sequence) ? touch : { ...touch, newSpans: 0 }));
    await writeNewestSequence(transaction, Math.max(...writes.map((write) => write.chunk.sequence)));
    const traces = await touchTraces(transaction, mergeTouches(touches), now);
    await addFigures(transaction, ingestFigures(traces, touches, now));
    for (const trace of traces) if (trace.isNew) options.quota?.noteNew(trace.tenantNo, 1);
    const sessions = new Set(writes.filter(({ isLive }) => isLive).map(({ chunk }) => keyOf(chunk)));
    const isLive = (trace: TouchedTrace) => !trace.hasRootEnded && sessions.has(keyOf(trace));
    await scheduleSoonest(
      transaction,
      traces.filter(isLive).map((trace) => toJob(trace, now + (options.liveMs ?? LIVE_MS))),
    );
    await scheduleJobs(
      transaction,
      traces.filter((trace) => !isLive(trace)).map((trace) => toJob(trace, now + waitMs(trace))),
    );
  }

  function waitMs({ hasRootEnded }: TouchedTrace): number {
    return hasRootEnded ? (options.settleMs ?? SETTLE_MS) : (options.idleMs ?? IDLE_MS);
  }

  function toWrites(tenantNo: number, spans: readonly Span[], isHistory: boolean): Write[] {
    const now = clock.now();
    return [...groupByTrace(spans)].map(([traceId, group]) => {
      const identity = { tenantNo, traceId, sequence: nextSequence() };
      const touch = toTouch(group, { ...identity, isHistory }, now);
      return {
        chunk: { ...identity, chunk: encodeChunk(group) },
        touch,
        isLive: !isHistory && group.some(isOfSession),
      };
    });
  }

  async function ingestSpans(
    tenantId: string,
    decoded: Decoded,
    { onceKey, isHistory = false, alongside }: IngestSpansOptions = {},
  ) {
    options.assertStorable?.();
    const tenantNo = await options.tenantNoOf(tenantId).catch(refuse);
    committer.assertRoom();
    redactor.redactSpans(decoded.spans);
    const writes = toWrites(tenantNo, decoded.spans, isHistory);
    const isAlone = onceKey !== undefined || alongside !== undefined;
    const isDuplicate = isAlone && !(await commitAlone(writes, onceKey, alongside));
    if (!isAlone && writes.length > 0) await committer.add(writes);
    return { ...toReply(decoded, writes), isDuplicate };
  }

  async function commitAlone(
    writes: Write[],
    key: string | undefined,
    alongside: IngestSpansOptions['alongside'],
  ): Promise<boolean> {
    const isFirst = await inTransaction(db, async (transaction) => {
      if (key !== undefined && !(await claimOnce(transaction, key, clock.now()))) return false;
      if (writes.length > 0) await commit(transaction, writes);
      await alongside?.(transaction);
      return true;
    }).catch(refuse);
    if (isFirst) options.onTracesChanged();
    return isFirst;
  }

  async function ingestLive(tenantId: string, decode: () => Decoded): Promise<IngestReply> {
    options.assertStorable?.();
    committer.assertRoom();
    if (options.quota) await options.quota.assertRoom(await options.tenantNoOf(tenantId).catch(refuse)).catch(refuse);
    return ingestSpans(tenantId, decode());
  }

  return {
    ingest(tenantId, request) {
      const decode = request.encoding === 'json' ? decodeOtlpJson : decodeOtlpProtobuf;
      return ingestLive(tenantId, () => decode(request.body));
    },
    ingestLive,
    ingestSpans,
    queueDepth: () => committer.depth(),
    queueLimit: () => maxWeight,
    flush: () => committer.flush(),
  };
}

export const SETTLE_JOB = 'settle';

function toReply(decoded: Decoded, writes: readonly Write[]): IngestReply {
  return {
    acceptedSpans: decoded.spans.length,
    rejectedSpans: decoded.refusals.length,
    traceIds: writes.map((write) => write.touch.traceId),
    errors: boundedFieldErrors(decoded.refusals),
  };
}

/** Order of arrival across restarts: starts above what the database holds, and follows the clock where that is ahead. */
function createSequence(newest: number, clock: Clock): () => number {
  let last = newest;
  return () => {
    last = Math.max(last + 1, clock.now() * 1000);
    return last;
  };
}

/** A full disk or a locked file is the service's trouble, which a sender may retry; it must never look like success. */
function refuse(error: unknown): never {
  const storageError = toStorageError(error);
  if (storageError !== null) throw storageError;
  if (error instanceof AppError) throw error;
  throw new AppError('unavailable', 'The database cannot store right now.', { retryAfterSeconds: 5, cause: error });
}
