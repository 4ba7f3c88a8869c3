import type { Severity } from '../../core/severity.ts';
import type { SessionEnd } from '../../core/trace.ts';
import type { TraceTable } from '../../store/schema.ts';
import type { SessionItem } from './session.record.ts';
import type { SessionDigest } from './session-digest.ts';

/** Session data from the store. */
export function itemOfRow(row: TraceTable): SessionItem {
  const digest = row.session_digest === null ? null : (JSON.parse(row.session_digest) as SessionDigest);
  return {
    sessionId: row.session_id ?? row.trace_id,
    traceId: row.trace_id,
    parentId: digest?.parentId ?? null,
    agent: row.framework,
    title: row.title,
    task: row.task,
    project: row.project,
    branch: row.branch,
    endedBy: row.ended_by as SessionEnd | null,
    startedAtMs: row.started_at,
    endedAtMs: row.ended_at,
    totalTokens: row.total_tokens,
    costUsd: row.cost_usd,
    models: JSON.parse(row.models) as string[],
    detectionCount: row.detection_count,
    maxSeverity: row.max_severity as Severity | null,
    digest,
  };
}
