import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { replaceAgentShares } from '../../store/agent.store.ts';
import type { Db } from '../../store/connection.ts';
import { failJob, finishJob, type LeasedJob, leaseJobs, makeDue, nextRunAt } from '../../store/job.store.ts';
import type { Database, TraceTable } from '../../store/schema.ts';
import { readChunks, replaceChunks } from '../../store/span-chunk.store.ts';
import { readTrace, updateTrace } from '../../store/trace.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { DetectionSaver } from '../detections/save-detections.ts';
import { SETTLE_JOB } from '../ingest/ingest.service.ts';
import { canonicalTraceId } from '../traces/canonical-trace-id.ts';
import type { AnalysisOutcome } from './analyze-chunks.ts';
import type { AnalysisExecutor } from './executor.ts';
import type { TenantDetection } from './tenant-detection.ts';

export interface AnalysisService {
  /** Analyses one trace now and saves what is found. @throws AppError `not_found` */
  analyzeTrace(tenantId: string, traceId: string): Promise<void>;
  /** Analyses traces that have settled. @returns how many were taken, 0 when none is due */
  runDue(limit: number): Promise<number>;
  /** Analyses all that waits for a tenant, settled or not: what a one-shot command does. */
  runAllNow(tenantId: string): Promise<void>;
  /** Unix milliseconds when the next trace is due; null where none waits. */
  nextDueAt(): Promise<number | null>;
}

export interface AnalysisOptions {
  db: Kysely<Database>;
  clock: Clock;
  executor: AnalysisExecutor;
  saveDetections: DetectionSaver;
  tenantNoOf(tenantId: string): Promise<number>;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  onProblem(traceId: string, problem: string): void;
}

const LEASE_MS = 120_000;
const MAX_ATTEMPTS = 3;
const RETRY_MS = 5_000;
const BATCH = 20;

export function createAnalysisService(options: AnalysisOptions): AnalysisService {
  const { db, clock, executor } = options;

  /** @returns false where the trace is gone */
  async function analyze(tenantNo: number, id: string): Promise<boolean> {
    const traceId = canonicalTraceId(id);
    const row = await readTrace(db, tenantNo, traceId);
    if (!row) return false;
    const chunks = await readChunks(db, tenantNo, traceId);
    if (chunks.length === 0) return false;
    const tenant = await options.detectionOf(tenantNo);
    const outcome = await executor.run({ traceId, chunks, isSettled: row.root_ended === 1, tenant });
    for (const crash of outcome.crashed) options.onProblem(traceId, `detector ${crash.type} failed: ${crash.message}`);
    for (const type of outcome.overran) options.onProblem(traceId, `detector ${type} was cut off: out of time`);
    await inTransaction(db, (transaction) => save(transaction, row, outcome));
    return true;
  }

  async function save(transaction: Db, row: TraceTable, outcome: AnalysisOutcome): Promise<void> {
    const current = await readTrace(transaction, row.tenant_no, row.trace_id);
    // Spans came while the analysis ran: its result is out of date, and the job they scheduled makes a new one.
    if (!current || current.version !== row.version) return;
    const key = { tenantNo: row.tenant_no, traceId: row.trace_id };
    const figures = await options.saveDetections(transaction, key, outcome.detections, outcome.summary);
    await updateTrace(transaction, key.tenantNo, key.traceId, {
      ...toColumns(outcome, current),
      detection_count: figures.count,
      max_severity: figures.maxSeverity,
      quality_score: figures.qualityScore,
      analyzed_version: row.version,
      is_settled: row.root_ended,
      updated_at: clock.now(),
    });
    const startedAt = Math.floor(outcome.summary.startedAtMs ?? current.started_at);
    const shares = outcome.agents.map(({ lastActiveAtMs, ...share }) => ({
      ...share,
      lastActiveAt: Math.floor(lastActiveAtMs ?? startedAt),
    }));
    await replaceAgentShares(transaction, { ...key, startedAt }, shares);
    if (outcome.compacted)
      await replaceChunks(transaction, { ...key, sequence: row.version, chunk: outcome.compacted });
  }

  async function runJob(job: LeasedJob): Promise<void> {
    try {
      await analyze(job.tenantNo, job.key);
      await finishJob(db, job);
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      options.onProblem(job.key, message);
      if (job.attempts >= MAX_ATTEMPTS) await finishJob(db, job);
      else await failJob(db, job, message, clock.now() + RETRY_MS * job.attempts);
    }
  }

  async function runDue(limit: number): Promise<number> {
    const jobs = await leaseJobs(db, SETTLE_JOB, clock.now(), LEASE_MS, limit);
    await Promise.all(jobs.map(runJob));
    return jobs.length;
  }

  return {
    async analyzeTrace(tenantId, traceId) {
      const found = await analyze(await options.tenantNoOf(tenantId), traceId);
      if (!found) throw new AppError('not_found', `There is no trace ${traceId}.`);
    },
    runDue,
    async runAllNow(tenantId) {
      await makeDue(db, SETTLE_JOB, await options.tenantNoOf(tenantId), clock.now());
      while ((await runDue(BATCH)) > 0);
    },
    nextDueAt: () => nextRunAt(db, SETTLE_JOB),
  };
}

function toColumns({ summary }: AnalysisOutcome, current: TraceTable): Partial<TraceTable> {
  return {
    framework: summary.framework,
    service_name: summary.serviceName,
    name: summary.name,
    task: summary.task,
    status: summary.status,
    session_id: summary.sessionId,
    thread_id: summary.threadId,
    started_at: summary.startedAtMs === null ? current.started_at : Math.floor(summary.startedAtMs),
    ended_at: summary.endedAtMs === null ? null : Math.ceil(summary.endedAtMs),
    span_count: summary.spanCount,
    state_count: summary.stateCount,
    agent_ids: JSON.stringify(summary.agentIds),
    models: JSON.stringify(summary.models),
    total_tokens: summary.totalTokens,
    input_tokens: summary.inputTokens,
    output_tokens: summary.outputTokens,
    cost_usd: summary.costUsd,
  };
}
