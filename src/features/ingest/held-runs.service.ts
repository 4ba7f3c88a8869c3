import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import type { Span } from '../../core/span.ts';
import { type Home, releasedSpans } from '../../formats/n8n/otel-spans.ts';
import { forgetTrace } from '../../store/forget-trace.ts';
import { failJob, finishJobs, type LeasedJob, leaseJobs, nextRunAt } from '../../store/job.store.ts';
import type { Database } from '../../store/schema.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { readTrace } from '../../store/trace.store.ts';
import type { LeaseKeeper } from '../leases/lease-keeper.ts';
import { HELD_JOB } from './commit-spans.ts';
import { HeldTraces } from './held-spans.ts';
import type { IngestService } from './ingest.service.ts';
import { type PreparedBody, packSpans } from './prepare.ts';
import { toBatches } from './prepared-batch.ts';

/** Ends the waiting of spans in hidden traces: shows those whose run never came, deletes the traces of the others. */
export interface HeldRunsService {
  /** @returns how many hidden traces were looked at */
  runDue(limit: number): Promise<number>;
  /** Unix milliseconds; null where nothing waits. */
  nextDueAt(): Promise<number | null>;
}

const LEASE_MS = 60_000;
const RETRY_MS = 60_000;
const MAX_ATTEMPTS = 8;

export function createHeldRunsService(options: {
  db: Kysely<Database>;
  clock: Clock;
  ingest: Pick<IngestService, 'ingestPrepared'>;
  leases: Pick<LeaseKeeper, 'owner'>;
}): HeldRunsService {
  const { db, clock, ingest } = options;

  async function settle({ tenantNo, key: heldTraceId }: LeasedJob): Promise<void> {
    const trace = await readTrace(db, tenantNo, heldTraceId);
    if (trace === null) return;
    const held = new HeldTraces(db, tenantNo);
    await held.read([heldTraceId]);
    const home = await held.homeOf(heldTraceId);
    const tenantId = await tenantIdOf(db, tenantNo);
    if (home !== null) {
      const missing = await missingAt(held, heldTraceId, home);
      await ingest.ingestPrepared(tenantId, toBody(home.traceId, missing, clock.now()), {
        alongside: (transaction) => forgetTrace(transaction, tenantNo, heldTraceId),
      });
    } else if (trace.is_bookkeeping === 1) {
      const spans = releasedSpans(held.spansOf(heldTraceId), { traceId: heldTraceId, isHeld: false });
      await ingest.ingestPrepared(tenantId, toBody(heldTraceId, spans, clock.now()));
    }
  }

  return {
    async runDue(limit) {
      const owner = await options.leases.owner();
      const jobs = await leaseJobs(db, { kind: HELD_JOB, now: clock.now(), leaseMs: LEASE_MS, limit, owner });
      for (const job of jobs) {
        try {
          await settle(job);
          await finishJobs(db, [job]);
        } catch (error) {
          if (job.attempts >= MAX_ATTEMPTS) throw error;
          const retryAt = clock.now() + RETRY_MS;
          await failJob(db, job, { error: (error as Error).message, retryAt, isCounted: true });
        }
      }
      return jobs.length;
    },
    nextDueAt: () => nextRunAt(db, HELD_JOB, clock.now()),
  };
}

/** What the run lacks of the spans that waited for it: the program ended between two commits. A deleted run stays deleted. */
async function missingAt(held: HeldTraces, heldTraceId: string, home: Home): Promise<Span[]> {
  await held.read([home.traceId]);
  const known = new Set(held.spansOf(home.traceId).map(({ spanId }) => spanId));
  if (known.size === 0) return [];
  return releasedSpans(held.spansOf(heldTraceId), home).filter(({ spanId }) => !known.has(spanId));
}

function toBody(traceId: string, spans: readonly Span[], now: number): PreparedBody<null> {
  const batches = spans.length === 0 ? [] : toBatches(packSpans(traceId, spans, now));
  const counts = { acceptedSpans: spans.length, rejectedSpans: 0 };
  return { ...counts, batches, traceIds: [traceId], errors: [], facts: null };
}
