import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Span } from '../../core/span.ts';
import { markerTraceId, type TraceTarget } from '../../formats/n8n/otel-spans.ts';
import type { Db } from '../../store/connection.ts';
import { deleteTraces } from '../../store/delete-trace.ts';
import { failJob, finishJobs, type LeasedJob, leaseJobs, nextRunAt, scheduleJobs } from '../../store/job.store.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { readChunks } from '../../store/span-chunk.store.ts';
import { decodeChunk } from '../../store/span-chunk.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { readTrace } from '../../store/trace.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { CLAIM_JOB, HELD_JOB } from './commit-spans.ts';
import { OwningTraces, pack } from './held-spans.ts';
import type { IngestService } from './ingest.service.ts';
import type { PreparedBody } from './prepare.ts';
import { toBatches } from './prepared-batch.ts';

/** Resolves hidden traces: publishes spans whose run never arrived, deletes traces whose spans have moved to their run. */
export interface HeldRunsService {
  /** @returns how many hidden traces were processed */
  runDue(limit: number): Promise<number>;
  /** Unix milliseconds; null if nothing is queued. */
  nextDueAt(): Promise<number | null>;
}

const LEASE_MS = 60_000;
const RETRY_MS = 60_000;
const MAX_ATTEMPTS = 8;
/** Late spans of a run that was published before its workflow span arrived still find their run for this long. */
const MARKER_MS = 3_600_000;

/** Spans arrived in the hidden trace while it was resolved; it is read again. */
class TraceChanged extends Error {}

export function createHeldRunsService(options: {
  db: Kysely<Database>;
  clock: Clock;
  ingest: Pick<IngestService, 'ingestPrepared'>;
  leases: Pick<LeaseManager, 'owner'>;
  onProblem(subject: string, problem: string): void;
}): HeldRunsService {
  const { db, clock, ingest } = options;

  /** Copies missing spans to the run, chunk by chunk. A deleted run stays deleted. */
  async function move(tenantNo: number, heldTraceId: string, target: TraceTarget): Promise<void> {
    if ((await readTrace(db, tenantNo, target.traceId)) === null) return;
    const known = new Set<string>();
    for await (const spans of spansByChunk(tenantNo, target.traceId)) for (const { spanId } of spans) known.add(spanId);
    for await (const spans of spansByChunk(tenantNo, heldTraceId))
      await publish(
        tenantNo,
        target,
        spans.filter(({ spanId }) => !known.has(spanId)),
      );
  }

  async function publish(tenantNo: number, target: TraceTarget, spans: readonly Span[]): Promise<void> {
    if (spans.length === 0) return;
    await ingest.ingestPrepared(await tenantIdOf(db, tenantNo), toBody(target, spans, clock.now()));
  }

  /** A chunk is decoded in one turn of the event loop, and requests are served between two. */
  async function* spansByChunk(tenantNo: number, traceId: string): AsyncGenerator<Span[]> {
    for (const chunk of await readChunks(db, tenantNo, traceId)) {
      yield decodeChunk(chunk, traceId);
      await nextTurn();
    }
  }

  async function resolve({ tenantNo, kind, key: heldTraceId }: LeasedJob): Promise<void> {
    const trace = await readTrace(db, tenantNo, heldTraceId);
    const target = await new OwningTraces(db, tenantNo).of(heldTraceId);
    if (target !== null) {
      if (trace !== null) await move(tenantNo, heldTraceId, target);
      if (kind === HELD_JOB)
        await inTransaction(db, (transaction) => forget(transaction, tenantNo, trace, heldTraceId));
    } else if (kind === HELD_JOB && trace?.is_bookkeeping === 1) {
      const own = { traceId: heldTraceId, isHeld: false };
      for await (const spans of spansByChunk(tenantNo, heldTraceId)) await publish(tenantNo, own, spans);
    }
  }

  /** Deletes the hidden trace, and the marker once no late span is expected. */
  async function forget(
    transaction: Db,
    tenantNo: number,
    read: TraceTable | null,
    heldTraceId: string,
  ): Promise<void> {
    const trace = await readTrace(transaction, tenantNo, heldTraceId);
    if (trace?.version !== read?.version) throw new TraceChanged('spans arrived while the trace was resolved');
    const wasShown = trace !== null && trace.is_bookkeeping === 0;
    await deleteTraces(transaction, tenantNo, wasShown ? [heldTraceId] : [heldTraceId, markerTraceId(heldTraceId)]);
    if (!wasShown) return;
    const runAt = clock.now() + MARKER_MS;
    await scheduleJobs(transaction, [{ tenantNo, kind: HELD_JOB, key: heldTraceId, runAt }]);
  }

  async function run(job: LeasedJob): Promise<void> {
    try {
      await resolve(job);
      await finishJobs(db, [job]);
    } catch (error) {
      const isCounted = !(error instanceof TraceChanged) && !isTransient(error);
      const { message } = error as Error;
      if (isCounted && job.attempts >= MAX_ATTEMPTS) {
        options.onProblem(job.key, `waiting spans of n8n could not be moved to their run: ${message}`);
        await finishJobs(db, [job]);
      } else await failJob(db, job, { error: message, retryAt: clock.now() + RETRY_MS, isCounted });
    }
  }

  return {
    async runDue(limit) {
      const owner = await options.leases.owner();
      let count = 0;
      for (const kind of [CLAIM_JOB, HELD_JOB]) {
        const jobs = await leaseJobs(db, { kind, now: clock.now(), leaseMs: LEASE_MS, limit, owner });
        for (const job of jobs) await run(job);
        count += jobs.length;
      }
      return count;
    },
    async nextDueAt() {
      const due = [await nextRunAt(db, CLAIM_JOB, clock.now()), await nextRunAt(db, HELD_JOB, clock.now())];
      const times = due.filter((time) => time !== null);
      return times.length === 0 ? null : Math.min(...times);
    },
  };
}

function toBody(target: TraceTarget, spans: readonly Span[], now: number): PreparedBody<null> {
  const counts = { acceptedSpans: spans.length, rejectedSpans: 0 };
  return {
    ...counts,
    batches: toBatches(pack(target, spans, now)),
    traceIds: [target.traceId],
    errors: [],
    facts: null,
  };
}
