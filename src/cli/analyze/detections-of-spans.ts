import { createHash } from 'node:crypto';
import { toRfc3339 } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import type { ModelCatalog } from '../../core/model-catalog.ts';
import { maxSeverity } from '../../core/severity.ts';
import type { Span } from '../../core/span.ts';
import type { Trace } from '../../core/trace.ts';
import { isEnabled } from '../../detectors/_runner/run.ts';
import type { Answers, KeyedQuestion } from '../../detectors/_runner/second-opinion.ts';
import { DETECTORS } from '../../detectors/registry.ts';
import { analyzeSpans } from '../../features/analysis/analyze-spans.ts';
import { overrunMessage } from '../../features/analysis/overrun-message.ts';
import { DEFAULT_DETECTION, type TenantDetection } from '../../features/analysis/tenant-detection.ts';
import { type DetectionRecord, toDetectionRecord } from '../../features/detections/detection.record.ts';
import { gradeOf, qualityScore } from '../../features/detections/quality.ts';
import { rootCauseOf } from '../../features/traces/root-cause.ts';
import { leadsOf } from '../../features/traces/run-leads.ts';
import { toRejectedRecordsRecord } from '../../features/traces/trace.record.ts';
import type { LinkedRun, TraceDetections, TraceHead } from '../views/trace-detections.ts';

export interface SpanDetectionOptions {
  source: string | null;
  models: ModelCatalog;
  nowMs: number;
  /** Answers of a model, by trace id; if omitted, only the rules apply. */
  answers?: ReadonlyMap<string, Answers>;
  tenant: TenantDetection;
}

const WITH_PREVIEWS: TenantDetection = {
  ...DEFAULT_DETECTION,
  enabled: Object.fromEntries(DETECTORS.map(({ detector }) => [detector.type, true])),
};

/** The settings for the analysis of files: the defaults, or every detector enabled, which also reports previews. */
export function fileDetection(hasPreviews: boolean): TenantDetection {
  return hasPreviews ? WITH_PREVIEWS : DEFAULT_DETECTION;
}

/** Analyzes every trace among the spans in its current state. */
export function detectionsOfSpans(spans: readonly Span[], options: SpanDetectionOptions): TraceDetections[] {
  const traces = Map.groupBy(spans, (span) => span.traceId);
  return [...traces.values()].map((group) => detectionsOfTrace(group, options));
}

/** The open questions to a model about each finished trace, by trace id. */
export function questionsOfSpans(
  spans: readonly Span[],
  models: ModelCatalog,
  tenant: TenantDetection,
): Map<string, KeyedQuestion[]> {
  const ended = [...Map.groupBy(spans, (span) => span.traceId)].filter(([, group]) => hasEnded(group));
  const questionsOf = (group: Span[]) =>
    analyzeSpans(group, { isSettled: true, models, tenant, answers: {} }).result.questions;
  return new Map(ended.map(([traceId, group]) => [traceId, questionsOf(group)]));
}

function detectionsOfTrace(
  spans: Span[],
  { source, models, nowMs, answers, tenant }: SpanDetectionOptions,
): TraceDetections {
  const { trace, result } = analyzeSpans(spans, {
    isSettled: hasEnded(spans),
    models,
    tenant,
    answers: answers?.get(spans[0]?.traceId ?? ''),
  });
  const silent = new Set([...result.notApplicable, ...result.crashed, ...result.overran].map(({ type }) => type));
  const failed = result.overran.map((overrun) => ({ type: overrun.type, message: overrunMessage(overrun) }));
  const enabled = DETECTORS.filter((registered) => isEnabled(registered, tenant));
  return {
    source,
    trace: toHead(trace, result.detections),
    steps: trace.steps.map(({ spanId, name }) => ({ spanId, name })),
    detections: result.detections.map((detection) => toRecord(detection, trace.traceId, nowMs)),
    judged: enabled.map(({ detector }) => detector.type).filter((type) => !silent.has(type)),
    notApplicable: result.notApplicable,
    crashed: [...result.crashed, ...failed],
    isUsagePartial: trace.steps.some(({ isUsagePartial }) => isUsagePartial === true),
    linked: linkedRuns(spans, trace),
  };
}

/** Runs that started this one or that it started, from the span links of n8n. */
function linkedRuns(spans: readonly Span[], trace: Trace): LinkedRun[] {
  const steps = new Map(trace.steps.map(({ spanId, index }) => [spanId, index]));
  return spans.flatMap(({ spanId, links }) =>
    links.flatMap(({ traceId, attributes }): LinkedRun[] => {
      if (attributes['n8n.link'] === 'parent_execution') return [{ traceId, step: null }];
      const step = steps.get(spanId);
      return attributes['n8n.link'] === 'sub_execution' && step !== undefined ? [{ traceId, step }] : [];
    }),
  );
}

/** Missing spans are evidence only in a complete trace; a file may contain one of several requests. */
function hasEnded(spans: readonly Span[]): boolean {
  return spans.some((span) => span.parentSpanId === null && span.endNs !== null);
}

function toHead(trace: Trace, detections: readonly Detection[]): TraceHead {
  const counted = detections.filter((detection) => detection.severity !== 'observation');
  const { startedAtMs, endedAtMs } = trace;
  const quality = qualityScore(trace.status, detections);
  return {
    trace_id: trace.traceId,
    framework: trace.framework,
    service_name: trace.serviceName,
    name: trace.name,
    task: trace.task,
    status: trace.status,
    session_id: trace.sessionId,
    thread_id: trace.threadId,
    started_at: startedAtMs === null ? null : toRfc3339(startedAtMs),
    ended_at: endedAtMs === null ? null : toRfc3339(endedAtMs),
    duration_ms: startedAtMs === null || endedAtMs === null ? null : Math.max(0, endedAtMs - startedAtMs),
    span_count: trace.steps.length,
    state_count: trace.states.length,
    agent_ids: trace.agents,
    total_tokens: trace.tokens.total ?? 0,
    cost_usd: trace.costUsd,
    models: trace.models,
    detection_count: counted.length,
    max_severity: maxSeverity(counted.map((detection) => detection.severity)),
    quality_score: quality,
    grade: quality === null ? null : gradeOf(quality),
    failure_rank: null,
    rejected_records: toRejectedRecordsRecord(trace),
    root_cause: rootCauseOf(trace, detections),
    leads: leadsOf(trace, detections),
  };
}

function toRecord(detection: Detection, traceId: string, nowMs: number): DetectionRecord {
  return toDetectionRecord(detection, {
    detectionId: unsavedId(detection, traceId),
    traceId,
    conversationId: null,
    issueId: null,
    createdAtMs: nowMs,
    withdrawnAtMs: null,
    validation: null,
    appliedFixes: {},
  });
}

/** A detection has the same id in every analysis of the trace, although nothing is stored. */
function unsavedId({ type, subtype, spanIds }: Detection, traceId: string): string {
  const identity = JSON.stringify([traceId, type, subtype, spanIds[0] ?? null]);
  return `det_${createHash('sha256').update(identity).digest('hex').slice(0, 26)}`;
}
