import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { isPaused } from '../../core/elapsed.ts';
import { runTraceId } from '../../formats/langgraph-server/run-span.ts';
import { failed, type LangGraphClient, type LangGraphFailure } from '../../platforms/langgraph/langgraph-client.ts';
import type { RegistrationTable } from '../../store/integration-tables.ts';
import { countTenantJobs, failJob, finishJobs, type LeasedJob, listJobs, nextRunAt } from '../../store/job.store.ts';
import { readRegistration } from '../../store/registration.store.ts';
import type { Database } from '../../store/schema.ts';
import { isTransient } from '../../store/storage-failure.ts';
import { tenantIdOf } from '../../store/tenant.store.ts';
import { readTrace } from '../../store/trace.store.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import { leaseFairly } from '../_kit/fair-lease.ts';
import { FairShare } from '../_kit/fair-share.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { IngestService } from '../ingest/ingest.service.ts';
import type { RegistrationService } from '../integrations/registration.service.ts';
import type { RunEvents } from '../integrations/run-events.ts';
import type { LeaseManager } from '../leases/lease-manager.ts';
import { type FetchRecord, toFetchRecord } from './fetch.record.ts';
import { HISTORY_JOB, type HistoryRequest, parseHistoryKey } from './history-job.ts';
import { createHistorySource } from './history-source.ts';
import { readRunHistory } from './read-run-history.ts';
import { packHistory, runHistory } from './run-history.decoder.ts';
import { threadStates } from './thread-states.decoder.ts';

/** Completes runs reported by a webhook with their nodes and states, from the history of their threads. */
export interface ThreadHistoryService {
  /** Runs whose nodes are missing; permanently failed ones are listed for a week. */
  list(tenantId: string, page: PageRequest): Promise<Page<FetchRecord>>;
  /** @returns how many runs were started */
  runDue(limit: number): Promise<number>;
  /** Unix milliseconds; null if nothing is queued. */
  nextDueAt(): Promise<number | null>;
  /** Aborts running fetches; they are repeated after the next start. */
  close(): void;
}

const LEASE_MS = 600_000;
const MAX_AT_ONCE = 4;
const MAX_PER_TENANT = 2;
const MAX_ATTEMPTS = 8;
const FIRST_PAUSE_MS = 5_000;
const MAX_PAUSE_MS = 3_600_000;
/** How long a permanently failed run is listed. */
const RETENTION_MS = 7 * 86_400_000;

interface ThreadHistoryOptions {
  db: Kysely<Database>;
  clock: Clock;
  client: LangGraphClient;
  ingest: Pick<IngestService, 'prepare' | 'ingestPrepared'>;
  registrations: Pick<RegistrationService, 'credentialsOf'>;
  events: RunEvents;
  tenantNoOf(tenantId: string): Promise<number>;
  leases: Pick<LeaseManager, 'owner'>;
  onProblem(subject: string, problem: string): void;
}

export class ThreadHistory implements ThreadHistoryService {
  readonly #options: ThreadHistoryOptions;
  /** Deployments that are currently unreachable, with the time of the next attempt. */
  readonly #pausedUntil = new Map<string, number>();
  readonly #closing = Promise.withResolvers<'closed'>();
  readonly #share = new FairShare<number>();
  #isClosed = false;

  constructor(options: ThreadHistoryOptions) {
    this.#options = options;
  }

  async list(tenantId: string, page: PageRequest): Promise<Page<FetchRecord>> {
    const { db, tenantNoOf } = this.#options;
    const of = { tenantNo: await tenantNoOf(tenantId), kind: HISTORY_JOB };
    const rows = await listJobs(db, of, toRange(page));
    return toPage(rows, await countTenantJobs(db, of.tenantNo, of.kind), page, {
      toItem: (row) => toFetchRecord(row, MAX_ATTEMPTS),
      positionOf: (row) => ({ at: row.run_at, id: row.key }),
    });
  }

  async runDue(limit: number): Promise<number> {
    if (this.#isClosed) return 0;
    const { db, clock, leases } = this.#options;
    const jobs = await leaseFairly(db, {
      kind: HISTORY_JOB,
      now: clock.now(),
      leaseMs: LEASE_MS,
      limit: Math.min(limit, MAX_AT_ONCE),
      owner: await leases.owner(),
      share: this.#share,
      freeSlotsOf: () => MAX_PER_TENANT,
    });
    await Promise.all(jobs.map((job) => this.#runJob(job)));
    return jobs.length;
  }

  nextDueAt(): Promise<number | null> {
    return nextRunAt(this.#options.db, HISTORY_JOB, this.#options.clock.now());
  }

  close(): void {
    this.#isClosed = true;
    this.#closing.resolve('closed');
  }

  async #runJob(job: LeasedJob): Promise<void> {
    const startedAt = performance.now();
    await this.#fetchNodes(job);
    this.#share.charge(job.tenantNo, performance.now() - startedAt, performance.now());
  }

  async #fetchNodes(job: LeasedJob): Promise<void> {
    const { db, clock } = this.#options;
    const request = parseHistoryKey(job.key);
    const row = request && (await readRegistration(db, job.tenantNo, request.deploymentId));
    if (request === null || !row?.url || job.attempts > MAX_ATTEMPTS) return finishJobs(db, [job]);
    const pause = this.#pausedUntil.get(request.deploymentId) ?? 0;
    if (isPaused(pause, clock.now(), MAX_PAUSE_MS))
      return failJob(db, job, { error: DEPLOYMENT_UNREACHABLE, retryAt: pause, isCounted: false });
    const outcome = await Promise.race([this.#closing.promise, this.#ingestNodes(job, request, row).catch(failureOf)]);
    if (outcome === 'closed') return failJob(db, job, { error: '', retryAt: clock.now(), isCounted: false });
    if (outcome === 'not stored') {
      const retryAt = clock.now() + FIRST_PAUSE_MS;
      return failJob(db, job, { error: NOT_STORED, retryAt, isCounted: false });
    }
    if (outcome === null) return finishJobs(db, [job]);
    await this.#retryLater(job, request, outcome);
  }

  /** @returns why it failed; null if everything is done */
  async #ingestNodes(
    { tenantNo }: LeasedJob,
    { threadId, runId }: HistoryRequest,
    row: RegistrationTable,
  ): Promise<LangGraphFailure | null> {
    const { db, client, ingest, registrations, events, onProblem } = this.#options;
    const server = { url: row.url as string, credentials: registrations.credentialsOf(row) };
    const tenantId = await tenantIdOf(db, tenantNo);
    const source = createHistorySource({
      client,
      server,
      threadId,
      outline: async (page) => (await ingest.prepare(tenantId, threadStates, page, null, BACKGROUND)).facts,
    });
    const history = await readRunHistory(source, runId);
    if (this.#isClosed) return null;
    if (history.kind === 'failed') return history;
    const traceId = runTraceId(runId);
    if (history.isCut) onProblem(traceId, 'the run has too many states; only its newest were fetched');
    const prepared = await ingest.prepare(tenantId, runHistory, ...(await packHistory(history, runId)), BACKGROUND);
    // A trace that was deleted meanwhile must not be partly restored.
    if (this.#isClosed || (await readTrace(db, tenantNo, traceId)) === null) return null;
    await ingest.ingestPrepared(tenantId, prepared, { isHistory: true });
    events.publish(tenantNo, 'graphruntime', prepared.facts.runs, 'sync');
    return null;
  }

  /** After the last attempt, the failed job stays listed. */
  async #retryLater(job: LeasedJob, request: HistoryRequest, failure: LangGraphFailure): Promise<void> {
    const { db, clock, onProblem } = this.#options;
    const now = clock.now();
    if (failure.isFinal || job.attempts >= MAX_ATTEMPTS) {
      onProblem(runTraceId(request.runId), `its nodes could not be fetched: ${failure.reason}`);
      const last = { ...job, attempts: MAX_ATTEMPTS };
      return failJob(db, last, { error: failure.reason, retryAt: now + RETENTION_MS, isCounted: true });
    }
    const { deploymentId } = request;
    if (failure.isOfServer) this.#pausedUntil.set(deploymentId, now + Math.max(FIRST_PAUSE_MS, failure.afterMs ?? 0));
    const pause = Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 4 ** (job.attempts - 1));
    const retryAt = now + Math.max(pause, Math.min(failure.afterMs ?? 0, MAX_PAUSE_MS));
    await failJob(db, job, { error: failure.reason, retryAt, isCounted: true });
  }
}

const NOT_STORED = 'The nodes could not be stored.';
const DEPLOYMENT_UNREACHABLE = 'The deployment was unreachable at the last attempt.';

/** No sender waits. */
const BACKGROUND = { isBackground: true };

function failureOf(error: unknown): LangGraphFailure | 'not stored' {
  if (isTransient(error)) return 'not stored';
  if (error instanceof AppError && error.code === 'payload_too_large')
    return failed('The states of the run take too much memory or time to read.', { isFinal: true });
  return failed(error instanceof Error ? error.message : String(error));
}
