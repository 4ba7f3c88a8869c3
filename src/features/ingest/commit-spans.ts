import type { Clock } from '../../core/clock.ts';
import type { Db } from '../../store/connection.ts';
import { addFigures } from '../../store/figure.store.ts';
import { type Job, scheduleJobs, scheduleSoonest } from '../../store/job.store.ts';
import { type ChunkWrite, insertChunks, writeNewestSequence } from '../../store/span-chunk.store.ts';
import { type TouchedTrace, type TraceTouch, touchTraces } from '../../store/trace.store.ts';
import type { TraceQuota } from '../billing/trace-quota.ts';
import { ingestFigures } from '../metrics/figure-growth.ts';
import type { Held } from './prepared-batch.ts';
import { mergeTouches } from './trace-touch.ts';

/** One prepared chunk with its arrival order. */
export interface SpanWrite {
  chunk: ChunkWrite;
  touch: TraceTouch;
  /** Belongs to a session that is still running. */
  isLive: boolean;
  held: Held | null;
}

export interface CommitSpansOptions {
  clock: Clock;
  settleMs?: number;
  idleMs?: number;
  liveMs?: number;
  quota?: TraceQuota | null;
}

export const SETTLE_JOB = 'settle';
export const HELD_JOB = 'held-run';
export const CLAIM_JOB = 'held-claim';

/** When a hidden trace is resolved: spans without a run are published, spans that have moved to their run are deleted. */
const HELD_MS = { waiting: 600_000, claimed: 3_600_000, shown: 60_000 } as const;
/** Spans that were committed at the same time as the claim, or are too many for one request, move to their run after this. */
const CLAIM_MS = 5_000;

/** A trace is analyzed this long after its root has ended and nothing more arrived. */
const SETTLE_MS = 2_000;
/** Without a root end, this long after the last span. */
export const IDLE_MS = 30_000;
/** Detections of a running session are needed early; it is analyzed at this interval while it grows. */
const LIVE_MS = 5_000;

/** Writes chunks, traces, figures and jobs. Call it in a transaction. @returns the touched runs */
export async function commitSpans(
  db: Db,
  writes: readonly SpanWrite[],
  options: CommitSpansOptions,
): Promise<TouchedTrace[]> {
  const now = options.clock.now();
  const fresh = await insertChunks(
    db,
    writes.map((write) => write.chunk),
  );
  const touches = writes.map(({ touch }) => (fresh.has(touch.sequence) ? touch : { ...touch, newSpans: 0 }));
  await writeNewestSequence(db, Math.max(...writes.map((write) => write.chunk.sequence)));
  const traces = await touchTraces(db, mergeTouches(touches), now);
  const runs = traces.filter((trace) => !trace.isBookkeeping);
  const shown = new Set(runs.map(keyOf));
  const ofRuns = touches.filter((touch) => shown.has(keyOf(touch)));
  await addFigures(db, ingestFigures(runs, ofRuns, now));
  for (const trace of runs) if (trace.isNew) options.quota?.recordNew(trace.tenantNo, 1);
  await scheduleAnalysis(db, runs, writes, now, options);
  await scheduleJobs(db, heldJobs(writes, now));
  return runs;
}

/** The last write of a hidden trace determines the time. */
function heldJobs(writes: readonly SpanWrite[], now: number): Job[] {
  const jobs = writes.flatMap(({ chunk: { tenantNo }, held }): Job[] => {
    if (held === null) return [];
    const job = { tenantNo, kind: HELD_JOB, key: held.traceId, runAt: now + HELD_MS[held.state] };
    return held.state === 'waiting' ? [job] : [job, { ...job, kind: CLAIM_JOB, runAt: now + CLAIM_MS }];
  });
  return [...new Map(jobs.map((job) => [`${job.tenantNo} ${job.kind} ${job.key}`, job])).values()];
}

async function scheduleAnalysis(
  db: Db,
  traces: readonly TouchedTrace[],
  writes: readonly SpanWrite[],
  now: number,
  { settleMs = SETTLE_MS, idleMs = IDLE_MS, liveMs = LIVE_MS }: CommitSpansOptions,
): Promise<void> {
  const sessions = new Set(writes.filter(({ isLive }) => isLive).map(({ chunk }) => keyOf(chunk)));
  const liveKeys = new Set(writes.filter(({ touch }) => !touch.isHistory).map(({ chunk }) => keyOf(chunk)));
  const soonest: Job[] = [];
  const latest: Job[] = [];
  for (const trace of traces) {
    const isHistory = !liveKeys.has(keyOf(trace));
    const isRunning = !trace.hasRootEnded;
    if (isRunning && sessions.has(keyOf(trace))) {
      soonest.push(toJob(trace, now + liveMs, false));
      continue;
    }
    const idleAt = now + (isRunning ? idleMs : settleMs);
    const liveAt = isRunning && !isHistory && !trace.isNew ? nextLiveAnalysisAt(trace, now, liveMs) : null;
    // A due job keeps its place in the backlog: later spans of a run without pauses must not postpone it.
    if (liveAt === null) latest.push(toJob(trace, idleAt, isHistory));
    else soonest.push(toJob(trace, Math.min(idleAt, liveAt), false));
  }
  await scheduleSoonest(db, soonest);
  await scheduleJobs(db, latest);
}

/** A longer run is analyzed less often while it is running. */
const MAX_LIVE_MS = 60_000;
/**
 * A span within this time after the due time triggers the analysis; a later one waits for the next interval, so that a failing
 * analysis is not retried on every span.
 */
const GRACE_MS = 2_000;

/** When a run without pauses is analyzed while it is running; null if it is too soon. */
export function nextLiveAnalysisAt(
  { startedAt, analyzedAt }: Pick<TouchedTrace, 'startedAt' | 'analyzedAt'>,
  now: number,
  liveMs: number = LIVE_MS,
): number | null {
  const interval = Math.min(MAX_LIVE_MS, Math.max(liveMs, analyzedAt - startedAt));
  const late = now - analyzedAt - interval;
  if (late < 0) return null;
  const sinceDue = late % interval;
  return sinceDue < GRACE_MS ? now : now + interval - sinceDue;
}

function keyOf({ tenantNo, traceId }: { tenantNo: number; traceId: string }): string {
  return `${tenantNo} ${traceId}`;
}

function toJob({ tenantNo, traceId }: TouchedTrace, runAt: number, isHistory: boolean): Job {
  return { tenantNo, kind: SETTLE_JOB, key: traceId, runAt, isHistory };
}
