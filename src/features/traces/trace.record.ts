import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import { nsToMs, type Span } from '../../core/span.ts';
import type { StateSnapshot, Step, TokenUsage, Trace } from '../../core/trace.ts';
import { MAX_RANK_PERCENT, UNRANKED } from '../../store/failure-rank.store.ts';
import type { TraceTable } from '../../store/schema.ts';
import { grade, sessionEnd, severity, traceStatus } from '../_kit/vocabulary.ts';
import { decodeSkipped } from '../analysis/skipped-detectors.ts';
import type { SessionDigest } from '../coding-sessions/session-digest.ts';
import { gradeOf } from '../detections/quality.ts';
import { rootCauseRecord } from './root-cause.ts';
import { leadRecord } from './run-leads.ts';

const tokenRecord = z
  .object({
    input: z.number().nullable(),
    output: z.number().nullable(),
    total: z.number().nullable(),
    cache_read: z.number().nullable(),
    cache_write: z.number().nullable(),
    reasoning: z.number().nullable(),
  })
  .meta({ id: 'TokenUsage' });

/** Result of the analysis of a trace. */
const traceAnalysisRecord = z
  .object({
    state: z
      .enum(['pending', 'complete', 'partial', 'given_up'])
      .describe('partial: detectors were skipped; given_up: the analysis failed repeatedly, reanalyze retries it'),
    reason: z.string().nullable().describe('Why it failed permanently'),
    at: z.string().nullable().describe('When it failed permanently'),
    left_out: z.array(z.object({ detector: z.string(), reason: z.string() })).describe('Detectors that did not finish'),
  })
  .meta({ id: 'TraceAnalysis' });

/** A trace in a list. Durations in milliseconds, cost in US dollars, times RFC 3339. */
export const traceSummaryRecord = z
  .object({
    trace_id: z.string(),
    framework: z.string(),
    service_name: z.string().nullable(),
    name: z.string(),
    task: z.string().nullable(),
    status: traceStatus,
    session_id: z.string().nullable(),
    thread_id: z.string().nullable(),
    started_at: z.string(),
    ended_at: z.string().nullable(),
    duration_ms: z.number().nullable(),
    span_count: z.number().int(),
    state_count: z.number().int(),
    agent_ids: z
      .array(z.string())
      .describe('Agents that act in its steps. A node of a workflow is one only if its step names it as the agent'),
    total_tokens: z.number(),
    cost_usd: z.number().nullable(),
    models: z.array(z.string()),
    detection_count: z.number().int(),
    max_severity: severity.nullable(),
    quality_score: z.number().nullable(),
    grade: grade.nullable(),
    failure_rank: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .describe(
        'Share of the runs of the same service, framework and set of agents that show less trouble, over 30 days; null for fewer than 30 such runs and before the run has settled. It orders runs and is no probability of failure',
      ),
    title: z.string().nullable().describe("Of a coding agent's session, as are project, branch and ended_by"),
    project: z.string().nullable().describe('Root folder of the project'),
    branch: z.string().nullable(),
    ended_by: sessionEnd.nullable().describe('Null for a trace that is no session of a coding agent'),
    partial_usage_calls: z
      .number()
      .int()
      .nullable()
      .describe(
        "Model calls of a coding agent's session whose recorded output tokens are incomplete: with any, tokens and cost are lower bounds; null if not known",
      ),
    analyzed: z.boolean().describe('The figures and detections cover every received span'),
    analysis: traceAnalysisRecord,
  })
  .meta({ id: 'TraceSummary' });
export type TraceSummaryRecord = z.input<typeof traceSummaryRecord>;

const messageRecord = z
  .object({
    role: z.string(),
    name: z.string().nullable(),
    content: z.string(),
    tool_calls: z.array(z.object({ id: z.string().nullable(), name: z.string(), arguments: z.json() })),
  })
  .meta({ id: 'Message' });

/** The interpreted span: its place in the run, actor, input and output. */
const stepRecord = z
  .object({
    index: z.number().int(),
    kind: z.string(),
    agent_id: z.string().nullable(),
    node: z.string().nullable(),
    depth: z.number().int(),
    input: z.string(),
    output: z.string(),
    input_messages: z.array(messageRecord),
    output_messages: z.array(messageRecord),
    tool: z.object({ id: z.string().nullable(), name: z.string(), arguments: z.json(), result: z.json() }).nullable(),
    model: z.string().nullable(),
    provider: z.string().nullable(),
    tokens: tokenRecord,
    cost_usd: z.number().nullable(),
    finish_reasons: z.array(z.string()),
    goto: z.array(z.string()),
    error: z.object({ type: z.string(), message: z.string() }).nullable(),
  })
  .meta({ id: 'Step' });

export const spanRecord = z
  .object({
    span_id: z.string(),
    parent_span_id: z.string().nullable(),
    name: z.string(),
    kind: z.number().int(),
    start_time_unix_nano: z.string().describe('Exact; as text, since JSON numbers are not'),
    end_time_unix_nano: z.string().nullable(),
    started_at: z.string().nullable(),
    duration_ms: z.number().nullable(),
    status: z.object({ code: z.number().int(), message: z.string() }),
    attributes: z.record(z.string(), z.json()),
    events: z.array(
      z.object({ name: z.string(), time_unix_nano: z.string(), attributes: z.record(z.string(), z.json()) }),
    ),
    links: z.array(z.object({ trace_id: z.string(), span_id: z.string(), attributes: z.record(z.string(), z.json()) })),
    resource: z.record(z.string(), z.json()),
    scope: z.object({ name: z.string(), version: z.string() }),
    step: stepRecord.nullable(),
  })
  .meta({ id: 'Span' });
export type SpanRecord = z.input<typeof spanRecord>;

export const stateRecord = z
  .object({
    sequence: z.number().int(),
    span_id: z.string(),
    agent_id: z.string().nullable(),
    node: z.string().nullable(),
    checkpoint_id: z.string().nullable(),
    thread_id: z.string().nullable(),
    state: z.json(),
    delta: z.json(),
    state_hash: z.string(),
    token_count: z.number().nullable(),
    latency_ms: z.number().nullable(),
    created_at: z.string().nullable(),
  })
  .meta({ id: 'StateSnapshot' });
export type StateRecord = z.input<typeof stateRecord>;

export const stateListRecord = z.object({
  trace_id: z.string(),
  items: z.array(stateRecord),
  total: z.number().int().describe('Of the whole trace, regardless of the window'),
});
export type StateListRecord = z.input<typeof stateListRecord>;

export const spanWindowRecord = z
  .object({
    trace_id: z.string(),
    items: z.array(spanRecord).describe('In order of steps'),
    total: z.number().int().describe('Spans of the trace'),
    next_step: z
      .number()
      .int()
      .nullable()
      .describe('`from_step` of the next window; null at the end, or where ids were given'),
    missing: z.array(z.string()).describe('Ids that the trace does not have'),
  })
  .meta({ id: 'SpanWindow' });
export type SpanWindowRecord = z.input<typeof spanWindowRecord>;

const rejectedRecordsRecord = z
  .object({
    count: z.number().int(),
    is_end_missing: z.boolean().describe('The last record of the run is among them: how the run ended is not known'),
  })
  .meta({ id: 'RejectedRecords' });
export type RejectedRecordsRecord = z.input<typeof rejectedRecordsRecord>;

export const traceRecord = traceSummaryRecord
  .extend({
    final_output: z.string().nullable(),
    rejected_records: rejectedRecordsRecord
      .nullable()
      .describe('Records of the run that were received and could not be read; null if none are known'),
    root_cause: rootCauseRecord
      .nullable()
      .describe('Where the failure may have begun, before the detections; null where that adds nothing to them'),
    leads: z
      .array(leadRecord)
      .describe(
        'Where to look in a run without detections that ended with an error, or whose `failure_rank` is at least 0.9: at most three steps; empty for every other run',
      ),
    spans: z.array(spanRecord).describe('In order of steps; empty if `include` omits them'),
    states: z.array(stateRecord).describe('In order; empty if `include` omits them'),
  })
  .meta({ id: 'Trace' });
export type TraceRecord = z.input<typeof traceRecord>;

export function toRejectedRecordsRecord({ rejectedRecords }: Trace): RejectedRecordsRecord | null {
  if (rejectedRecords === undefined) return null;
  return { count: rejectedRecords.count, is_end_missing: rejectedRecords.isEndMissing };
}

export function toTraceSummaryRecord(row: TraceTable): TraceSummaryRecord {
  return {
    trace_id: row.trace_id,
    framework: row.framework,
    service_name: row.service_name,
    name: row.name,
    task: row.task,
    status: row.status as TraceSummaryRecord['status'],
    session_id: row.session_id,
    thread_id: row.thread_id,
    started_at: toRfc3339(row.started_at),
    ended_at: row.ended_at === null ? null : toRfc3339(row.ended_at),
    duration_ms: row.ended_at === null ? null : Math.max(0, row.ended_at - row.started_at),
    span_count: row.span_count,
    state_count: row.state_count,
    agent_ids: JSON.parse(row.agent_ids) as string[],
    total_tokens: row.total_tokens,
    cost_usd: row.cost_usd,
    models: JSON.parse(row.models) as string[],
    detection_count: row.detection_count,
    max_severity: row.max_severity as TraceSummaryRecord['max_severity'],
    quality_score: row.quality_score,
    grade: row.quality_score === null ? null : gradeOf(row.quality_score),
    failure_rank: row.rank_percent === UNRANKED ? null : Math.min(MAX_RANK_PERCENT, row.rank_percent) / 100,
    title: row.title,
    project: row.project,
    branch: row.branch,
    ended_by: row.ended_by as TraceSummaryRecord['ended_by'],
    partial_usage_calls: partialUsageCalls(row),
    analyzed: row.analyzed_version === row.version,
    analysis: toAnalysisRecord(row),
  };
}

function partialUsageCalls({ session_digest }: TraceTable): number | null {
  if (session_digest === null) return null;
  return (JSON.parse(session_digest) as Pick<SessionDigest, 'partialUsageCalls'>).partialUsageCalls ?? null;
}

function toAnalysisRecord(row: TraceTable): TraceSummaryRecord['analysis'] {
  const leftOut = decodeSkipped(row.left_out);
  const isPending = row.analyzed_version !== row.version;
  if (row.given_up_at !== null)
    return { state: 'given_up', reason: row.given_up_reason, at: toRfc3339(row.given_up_at), left_out: leftOut };
  const state = isPending ? 'pending' : leftOut.length > 0 ? 'partial' : 'complete';
  return { state, reason: null, at: null, left_out: leftOut };
}

export function toSpanRecord(span: Span, step: Step | null): SpanRecord {
  return {
    span_id: span.spanId,
    parent_span_id: span.parentSpanId,
    name: span.name,
    kind: span.kind,
    start_time_unix_nano: String(span.startNs),
    end_time_unix_nano: span.endNs === null ? null : String(span.endNs),
    started_at: span.startNs === 0n ? null : toRfc3339(nsToMs(span.startNs)),
    duration_ms: span.endNs === null || span.startNs === 0n ? null : nsToMs(span.endNs - span.startNs),
    status: span.status,
    attributes: span.attributes,
    events: span.events.map((event) => ({
      name: event.name,
      time_unix_nano: String(event.timeNs),
      attributes: event.attributes,
    })),
    links: span.links.map((link) => ({ trace_id: link.traceId, span_id: link.spanId, attributes: link.attributes })),
    resource: span.resource,
    scope: span.scope,
    step: step && toStepRecord(step),
  };
}

function toStepRecord(step: Step): z.input<typeof stepRecord> {
  return {
    index: step.index,
    kind: step.kind,
    agent_id: step.agent,
    node: step.node,
    depth: step.depth,
    input: step.input,
    output: step.output,
    input_messages: step.inputMessages.map(toMessageRecord),
    output_messages: step.outputMessages.map(toMessageRecord),
    tool: step.tool,
    model: step.model,
    provider: step.provider,
    tokens: toTokenRecord(step.tokens),
    cost_usd: step.costUsd,
    finish_reasons: step.finishReasons,
    goto: step.goto,
    error: step.error && { type: step.error.type, message: step.error.message },
  };
}

function toMessageRecord(message: Step['inputMessages'][number]): z.input<typeof messageRecord> {
  const calls = message.toolCalls.map((call) => ({ id: call.id, name: call.name, arguments: call.arguments }));
  return { role: message.role, name: message.name, content: message.content, tool_calls: calls };
}

function toTokenRecord(tokens: TokenUsage): z.input<typeof tokenRecord> {
  const { input, output, total, cacheRead, cacheWrite, reasoning } = tokens;
  return { input, output, total, cache_read: cacheRead, cache_write: cacheWrite, reasoning };
}

export function toStateRecord(snapshot: StateSnapshot): StateRecord {
  return {
    sequence: snapshot.sequence,
    span_id: snapshot.spanId,
    agent_id: snapshot.agent,
    node: snapshot.node,
    checkpoint_id: snapshot.checkpointId,
    thread_id: snapshot.threadId,
    state: snapshot.state,
    delta: snapshot.delta,
    state_hash: snapshot.stateHash,
    token_count: snapshot.tokenCount,
    latency_ms: snapshot.latencyMs,
    created_at: snapshot.atMs === null ? null : toRfc3339(snapshot.atMs),
  };
}
