import type { TraceSummary } from '../../formats/trace-model/summarize.ts';
import type { TraceTable } from '../../store/schema.ts';

/** Columns that the spans of a trace determine alone. Its status also depends on whether later spans may arrive. */
export type SummaryColumns = Pick<
  TraceTable,
  | 'framework'
  | 'service_name'
  | 'name'
  | 'task'
  | 'session_id'
  | 'thread_id'
  | 'ended_at'
  | 'span_count'
  | 'state_count'
  | 'agent_ids'
  | 'models'
  | 'total_tokens'
  | 'input_tokens'
  | 'output_tokens'
  | 'cost_usd'
  | 'title'
  | 'project'
  | 'branch'
  | 'ended_by'
>;

const SESSION_NAME_CHARACTERS = 1000;

export function summaryColumns(summary: TraceSummary): SummaryColumns {
  const { codingSession } = summary;
  return {
    framework: summary.framework,
    service_name: summary.serviceName,
    name: summary.name,
    task: summary.task,
    session_id: summary.sessionId,
    thread_id: summary.threadId,
    ended_at: summary.endedAtMs === null ? null : Math.ceil(summary.endedAtMs),
    span_count: summary.spanCount,
    state_count: summary.stateCount,
    agent_ids: JSON.stringify(summary.agentIds),
    models: JSON.stringify(summary.models),
    total_tokens: summary.totalTokens,
    input_tokens: summary.inputTokens,
    output_tokens: summary.outputTokens,
    cost_usd: summary.costUsd,
    title: codingSession?.title?.slice(0, SESSION_NAME_CHARACTERS) ?? null,
    project: codingSession?.project?.slice(0, SESSION_NAME_CHARACTERS) ?? null,
    branch: codingSession?.branch?.slice(0, SESSION_NAME_CHARACTERS) ?? null,
    ended_by: codingSession?.endedBy ?? null,
  };
}
