import { isAtLeast, type Severity } from '../../core/severity.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import type { RootCause } from '../../features/traces/root-cause.ts';
import type { Lead } from '../../features/traces/run-leads.ts';
import type { RejectedRecordsRecord } from '../../features/traces/trace.record.ts';
import { counted } from './amounts.ts';

/** The figures of a trace that every view shows, by their wire names. */
export interface TraceHead {
  trace_id: string;
  framework: string;
  service_name: string | null;
  name: string;
  task: string | null;
  status: string;
  session_id: string | null;
  thread_id: string | null;
  started_at: string | null;
  ended_at: string | null;
  duration_ms: number | null;
  span_count: number;
  state_count: number;
  agent_ids: string[];
  models: string[];
  total_tokens: number;
  cost_usd: number | null;
  detection_count: number;
  max_severity: Severity | null;
  quality_score: number | null;
  grade: string | null;
  /** Null for traces that are not stored. */
  failure_rank: number | null;
  rejected_records: RejectedRecordsRecord | null;
  root_cause: RootCause | null;
  /** Where to look first in a failed or suspicious run without detections. */
  leads: Lead[];
}

export interface StepName {
  spanId: string;
  name: string;
}

/** One analyzed trace from any source: the input of the views. */
export interface TraceDetections {
  /** File of the trace, relative if possible; null for standard input and the store. */
  source: string | null;
  trace: TraceHead;
  /** In the order of their index; empty if unknown. */
  steps: readonly StepName[];
  /** Most severe first. */
  detections: DetectionRecord[];
  /** Detectors that ran; null if not recorded. */
  judged: readonly string[] | null;
  /** Detectors that could not run, and why: not the same as clean. */
  notApplicable: readonly { type: string; why: string }[];
  crashed: readonly { type: string; message: string }[];
  /** Whether a model call was recorded with incomplete usage: tokens and cost are lower bounds. Omitted if unknown. */
  isUsagePartial?: boolean;
  /** Runs that started this one or that it started; omitted if unknown. */
  linked?: readonly LinkedRun[];
}

/** What a reader must know about a trace with rejected records; null for every other trace. */
export function rejectedText(rejected: RejectedRecordsRecord | null): string | null {
  if (rejected === null) return null;
  const { count, is_end_missing: isEndMissing } = rejected;
  const what = `${counted(count, 'record')} of this run ${count === 1 ? 'was' : 'were'} rejected`;
  return `${what}: steps are missing${isEndMissing ? ', and how the run ended is not known' : ''}.`;
}

export interface LinkedRun {
  traceId: string;
  /** Step that started it; null for the run that started this one. */
  step: number | null;
}

export function withFloor(traceDetections: TraceDetections, floor: Severity): TraceDetections {
  return {
    ...traceDetections,
    detections: traceDetections.detections.filter((detection) => isAtLeast(detection.severity, floor)),
  };
}

export const FAIL_ON = ['critical', 'warning', 'info', 'never'] as const;
export type FailOn = (typeof FAIL_ON)[number];

export function hasFailure(traceDetections: readonly TraceDetections[], failOn: FailOn): boolean {
  if (failOn === 'never') return false;
  return traceDetections.some(({ detections }) =>
    detections.some((detection) => isAtLeast(detection.severity, failOn)),
  );
}

/** The text before the leads of a trace. */
export function leadsIntro({ status, failure_rank }: TraceHead): string {
  if (status === 'error' || failure_rank === null) return 'The run failed, and no detector found why. Look first at:';
  const share = Math.round(failure_rank * 100);
  return `No failures found, but the run shows more trouble than ${share} % of similar runs. Look first at:`;
}

/** Name of the agent or node at fault for a column of agents: `clerk`, `node shipping`. */
export function agentCell({ agent_id, agent_kind }: Pick<DetectionRecord, 'agent_id' | 'agent_kind'>): string {
  if (agent_id === null) return '–';
  return agent_kind === 'node' ? `node ${agent_id}` : agent_id;
}

/** `step 4 "search"`, or `the whole run`. */
export function placeOf(detection: DetectionRecord, steps: readonly StepName[]): string {
  if (detection.step === null) return 'the whole run';
  const step = steps[detection.step];
  return step === undefined ? `step ${detection.step}` : `step ${detection.step} "${step.name}"`;
}

/** `step 4` if the span's step is known, otherwise `span 0af1…`. */
export function spanPlace(spanId: string, steps: readonly StepName[]): string {
  const index = steps.findIndex((step) => step.spanId === spanId);
  return index === -1 ? `span ${spanId}` : `step ${index}`;
}
