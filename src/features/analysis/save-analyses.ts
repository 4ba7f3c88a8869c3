import type { Detection } from '../../core/detection.ts';
import type { TraceFigures } from '../../core/trace-figures.ts';
import { replaceAgentShares, type TraceShares } from '../../store/agent.store.ts';
import type { Db } from '../../store/connection.ts';
import { detectionsOfTraces } from '../../store/detection.store.ts';
import { addFigures } from '../../store/figure.store.ts';
import type { TraceTable } from '../../store/schema.ts';
import { replaceChunks } from '../../store/span-chunk.store.ts';
import { readTraces, saveTraces } from '../../store/trace.store.ts';
import { changeFigures, decodeFigures, encodeFigures } from '../../store/trace-figures.store.ts';
import { figuresOfTrace } from '../analytics/figures-of-trace.ts';
import { recordTraffic } from '../calibration/record-traffic.ts';
import { storeConversation } from '../conversations/store-conversation.ts';
import type { IssueChange } from '../detections/issue-recorder.ts';
import { issueScopeOf } from '../detections/issue-scope.ts';
import type { DetectionFigures, DetectionSaver } from '../detections/save-detections.ts';
import { rankColumns } from '../failure-ranks/rank-columns.ts';
import { scheduleRanking } from '../failure-ranks/schedule-ranking.ts';
import type { AnnouncedDetection } from '../integrations/detection-events.ts';
import { ALERT_WAIT_MS } from '../judge/judge-cache.ts';
import { analysisFigures } from '../metrics/figure-growth.ts';
import type { AnalysisOutcome } from './analyze-chunks.ts';
import { encodeSkipped } from './skipped-detectors.ts';
import { summaryColumns } from './summary-columns.ts';

export interface FinishedAnalysis {
  traceId: string;
  /** Version of the trace that was analyzed. */
  version: number;
  /** Nothing more is expected: its root ended, its session is idle, or the run was abandoned. */
  isSettled: boolean;
  /** Roots without an end count as ended: nothing arrived for a day. */
  isAbandoned: boolean;
  /** When a session without an end event counts as ended, Unix milliseconds; null for every other trace. */
  idleAt: number | null;
  outcome: AnalysisOutcome;
  /** It was analyzed as history. */
  isHistory: boolean;
  /** Alerts about new detections although the trace is history or was analyzed before. */
  isAlertRequested: boolean;
  /** Sends no alerts, even for new detections. */
  isQuiet: boolean;
  /** Whether alerts about detections with open questions wait for the answer. */
  awaitsAnswers: boolean;
}

export interface AnalyzedRun {
  row: TraceTable;
  /** It had already ended before this analysis. */
  wasSettled: boolean;
}

export interface SavedAnalyses {
  announced: AnnouncedDetection[];
  issues: IssueChange[];
  /** Each trace whose analysis was saved. */
  runs: AnalyzedRun[];
  /** Runs that ended because they were idle. */
  idle: TraceTable[];
  /** Runs that received spans during the analysis. Coding agent sessions are omitted: their jobs keep the earlier time. */
  growing: string[];
}

/**
 * Saves the analyses of one tenant's traces; call it inside a transaction. A settled trace that received spans meanwhile is
 * unchanged: its result is outdated, and those spans scheduled a new job. For a running run, the result is valid for the
 * spans that were read, unless a newer one is saved: a run without pauses would otherwise never be analyzed.
 *
 * @returns what to publish after the commit
 */
export async function saveAnalyses(
  db: Db,
  tenantNo: number,
  finished: readonly FinishedAnalysis[],
  saveDetections: DetectionSaver,
  now: number,
): Promise<SavedAnalyses> {
  const traceIds = finished.map((analysis) => analysis.traceId);
  const current = await readTraces(db, tenantNo, traceIds);
  const stored = await detectionsOfTraces(db, tenantNo, traceIds);
  const isCurrent = ({ traceId, version }: FinishedAnalysis) => current.get(traceId)?.version === version;
  const isNewer = ({ traceId, version }: FinishedAnalysis) => version > (current.get(traceId)?.analyzed_version ?? 0);
  const isGrowing = (one: FinishedAnalysis) =>
    !one.isSettled && !isCurrent(one) && isNewer(one) && current.get(one.traceId)?.root_ended === 0;
  const valid = finished.filter((one) => isCurrent(one) || isGrowing(one));
  const rows: TraceTable[] = [];
  const announced: Detection[] = [];
  const announcements: AnnouncedDetection[] = [];
  const issues: IssueChange[] = [];
  const idle: TraceTable[] = [];
  for (const analysis of valid) {
    const { traceId, version, outcome, isAlertRequested, isQuiet, awaitsAnswers } = analysis;
    const key = { tenantNo, traceId };
    const { started_at: startedAt } = current.get(traceId) as TraceTable;
    const { conversation } = outcome;
    const conversationId =
      conversation === null ? null : await storeConversation(db, { ...key, startedAt }, conversation, now);
    const trace = {
      ...key,
      conversationId,
      scope: issueScopeOf(outcome.summary),
      seenAt: outcome.summary.endedAtMs ?? now,
      failedDetectors: new Set([...outcome.crashed, ...outcome.overran].map(({ type }) => type)),
      isAlerting: !isQuiet && (isAlertRequested || isRecentRun(current.get(traceId) as TraceTable)),
      deliverAfterByKey: new Map(awaitsAnswers ? outcome.questions.map(({ key }) => [key, now + ALERT_WAIT_MS]) : []),
    };
    const figures = await saveDetections(db, trace, outcome.detections, outcome.summary, stored.get(traceId) ?? []);
    announced.push(...figures.announced);
    issues.push(...figures.issues);
    for (const payload of figures.announcements) announcements.push({ framework: outcome.summary.framework, payload });
    const before = current.get(traceId) as TraceTable;
    const row = analyzedRow(before, analysis, figures, now);
    rows.push(row);
    const isSilent = analysis.idleAt !== null || analysis.isAbandoned;
    if (analysis.isSettled && isSilent && before.is_settled === 0) idle.push(row);
    if (outcome.compacted && isCurrent(analysis))
      await replaceChunks(db, { ...key, sequence: version, chunk: outcome.compacted });
  }
  await saveTraces(db, rows);
  await addFigures(
    db,
    analysisFigures(
      tenantNo,
      rows.map((after) => ({ before: current.get(after.trace_id) as TraceTable, after })),
      announced,
    ),
  );
  await changeFigures(
    db,
    tenantNo,
    rows.map((row) => ({
      traceId: row.trace_id,
      before: figuresOf(current.get(row.trace_id) as TraceTable),
      after: figuresOf(row),
    })),
  );
  const traffic = valid.map(({ traceId, outcome: { summary, signals, riskColumns } }) => {
    return { traceId, framework: summary.framework, signals, riskColumns };
  });
  await recordTraffic(db, tenantNo, traffic, now);
  await scheduleRanking(db, tenantNo, rows, now);
  await replaceAgentShares(
    db,
    tenantNo,
    valid.map(({ traceId, outcome }, at) =>
      toShares(current.get(traceId) as TraceTable, rows[at] as TraceTable, outcome),
    ),
  );
  return {
    announced: announcements,
    issues,
    runs: rows.map((row) => ({ row, wasSettled: current.get(row.trace_id)?.is_settled === 1 })),
    idle,
    growing: valid.filter((one) => isGrowing(one) && !one.outcome.summary.codingSession).map(({ traceId }) => traceId),
  };
}

/** Live spans that no analysis has read. */
function isRecentRun(trace: TraceTable): boolean {
  return trace.is_history === 0 && trace.analyzed_version !== trace.version;
}

function toShares(before: TraceTable, after: TraceTable, { agents }: AnalysisOutcome): TraceShares {
  return {
    traceId: after.trace_id,
    startedAt: after.started_at,
    shares: agents.map(({ lastActiveAtMs, errorCount: _, ...share }) => {
      return { ...share, lastActiveAt: Math.floor(lastActiveAtMs ?? after.started_at) };
    }),
    listed:
      before.listed_at === null
        ? null
        : { agentIds: JSON.parse(before.agent_ids) as string[], startedAt: before.listed_at },
  };
}

function figuresOf({ figures }: TraceTable): TraceFigures | null {
  return figures === null ? null : decodeFigures(figures);
}

function analyzedRow(
  current: TraceTable,
  { outcome, isSettled, version }: Pick<FinishedAnalysis, 'outcome' | 'isSettled' | 'version'>,
  figures: DetectionFigures,
  now: number,
): TraceTable {
  const { summary, models, sessionDigest } = outcome;
  const startedAt = summary.startedAtMs === null ? current.started_at : Math.floor(summary.startedAtMs);
  const { counted: detections, qualityScore } = figures;
  const added = figuresOfTrace({ ...summary, startedAt, models, detections, qualityScore });
  return {
    ...current,
    ...summaryColumns(summary),
    status: summary.status,
    started_at: startedAt,
    listed_at: startedAt,
    span_count: version === current.version ? summary.spanCount : Math.max(current.span_count, summary.spanCount),
    detection_count: figures.counted.length,
    max_severity: figures.maxSeverity,
    quality_score: figures.qualityScore,
    analyzed_version: version,
    is_settled: isSettled ? 1 : 0,
    figures: encodeFigures(added),
    figures_day: added.day,
    workflow_id: added.workflow.workflowId,
    given_up_reason: null,
    given_up_at: null,
    left_out: encodeSkipped(outcome),
    session_digest: sessionDigest === null ? null : JSON.stringify(sessionDigest),
    ...rankColumns(current, {
      isSettled,
      serviceName: summary.serviceName,
      framework: summary.framework,
      agents: summary.agentIds,
      columns: outcome.riskColumns,
    }),
    updated_at: now,
  };
}
