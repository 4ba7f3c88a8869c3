import { z } from 'zod';
import type { Backend } from '../../../client/backend.ts';
import { SEVERITIES } from '../../../core/severity.ts';
import type { OutputOf } from '../../../features/_kit/operation.ts';
import { listDetectionsOperation } from '../../../features/detections/detection.operations.ts';
import type { DetectionRecord } from '../../../features/detections/detection.record.ts';
import { getTraceOperation, listSpansOperation } from '../../../features/traces/trace.operations.ts';
import type { TraceRecord } from '../../../features/traces/trace.record.ts';
import { count, counted, dollars, duration, percent } from '../../views/amounts.ts';
import { rejectedText } from '../../views/trace-detections.ts';
import { shownStep, stepLine, stepSummary } from '../step-summary.ts';
import { LIMITS, name, names, optional } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const DEFAULT_STEPS = 20;
const MAX_STEPS = 30;
const MAX_DETECTIONS = 15;
const MAX_REASONS = 5;

const input = z.strictObject({
  trace_id: z.string().min(1).max(200).describe('As returned by search_traces'),
  first_step: z.number().int().min(0).default(0).describe('Steps count from zero'),
  steps: z.number().int().min(0).max(MAX_STEPS).default(DEFAULT_STEPS).describe(`How many, 0 to ${MAX_STEPS}`),
});

const detectionItem = z.object({
  detection_id: z.string(),
  detection_type: z.string(),
  subtype: z.string(),
  severity: z.enum(SEVERITIES),
  confidence: z.number(),
  step: z.number().int().nullable(),
  untrusted: z.object({ agent: z.string().nullable(), title: z.string() }),
});

const rootCause = z.object({
  step: z.number().int(),
  confidence: z.number(),
  shows_at: z.number().int().nullable().describe('Step of the most severe detection, which is later'),
  untrusted: z.object({ agent: z.string().nullable(), step_name: z.string(), why: z.array(z.string()) }),
});

const lead = z.object({
  step: z.number().int(),
  untrusted: z.object({ agent: z.string().nullable(), why: z.array(z.string()) }),
});

const output = z.object({
  status: z.enum(['running', 'ok', 'error']),
  started_at: z.string(),
  duration_ms: z.number().nullable(),
  total_tokens: z.number(),
  cost_usd: z.number().nullable(),
  partial_usage_calls: z.number().int().nullable(),
  quality_score: z.number().nullable(),
  grade: z.string().nullable(),
  judged: z.boolean().describe('False: it still runs or waits for the detectors'),
  analysis: z
    .enum(['pending', 'complete', 'partial', 'given_up'])
    .describe('partial: detectors were skipped; given_up: the analysis failed repeatedly'),
  rejected_records: z
    .object({ count: z.number().int(), is_end_missing: z.boolean() })
    .nullable()
    .describe('Records that could not be read: steps are missing, and the end if is_end_missing'),
  finding_count: z.number().int(),
  findings: z.array(detectionItem).describe('Worst first'),
  failure_rank: z
    .number()
    .nullable()
    .describe('Share of similar runs that show less trouble; null with too few of them'),
  root_cause: rootCause.nullable().describe('Where the failure may have begun; null if the detections show it'),
  leads: z.array(lead).describe('Steps to read first in a failed or suspicious run without detections'),
  step_count: z.number().int(),
  steps: z.array(stepSummary),
  next_step: z.number().int().nullable().describe('Pass it as first_step to continue; null at the end'),
  untrusted: z.object({
    trace_id: z.string(),
    name: z.string(),
    task: z.string().nullable(),
    framework: z.string(),
    service: z.string().nullable(),
    session_id: z.string().nullable(),
    agents: z.array(z.string()),
    models: z.array(z.string()),
    final_output: z.string().nullable(),
    url: z.string().describe('Opens it in the dashboard'),
  }),
});
type Shown = z.output<typeof output>;

export const getTraceTool = defineTool({
  name: 'get_trace',
  title: 'Get a trace',
  description:
    'Returns one run: task, outcome, detections (most severe first), where the failure may have begun, and excerpts of its steps, ' +
    'a few at a time. get_step reads one step in full.',
  input,
  output,
  async run(backend, { trace_id, first_step, steps }) {
    const address = { tenant_id: await backend.tenantId(), trace_id };
    const trace = await backend.call(getTraceOperation, { ...address, include: 'none' });
    const window = await backend.call(listSpansOperation, {
      ...address,
      from_step: first_step,
      count: Math.max(1, steps),
    });
    const cause = trace.root_cause;
    const [decisive] =
      cause === null ? [] : (await backend.call(listSpansOperation, { ...address, ids: cause.span_id })).items;
    const findings = await detectionsOf(backend, trace_id);
    const url = (await backend.pages()).trace({ traceId: trace.trace_id, spanId: cause?.span_id ?? null });
    const data = toShown({ trace, window, decisive: decisive?.name ?? '', url }, findings, {
      first: first_step,
      number: steps,
    });
    return { head: headOf(data, first_step), data, dataIs: 'data from a trace', lines: linesOf, next: nextOf(data) };
  },
});

/** The most severe detections first. One page usually contains all detections of a trace. */
async function detectionsOf(backend: Backend, traceId: string): Promise<{ items: DetectionRecord[]; total: number }> {
  const address = { tenant_id: await backend.tenantId(), trace_id: traceId, page_size: 200 };
  const { items, total } = await backend.call(listDetectionsOperation, address);
  const rank = ({ severity }: DetectionRecord) => SEVERITIES.indexOf(severity);
  return { items: items.toSorted((one, other) => rank(one) - rank(other) || other.confidence - one.confidence), total };
}

interface Read {
  trace: TraceRecord;
  window: SpanWindow;
  /** Name of the step that `trace.root_cause` names. */
  decisive: string;
  /** Address of that step in the dashboard. */
  url: string;
}
type SpanWindow = OutputOf<typeof listSpansOperation>;

function toShown(
  { trace, window, decisive, url }: Read,
  findings: { items: DetectionRecord[]; total: number },
  { first, number }: { first: number; number: number },
): Shown {
  const after = first + number;
  return {
    status: trace.status,
    started_at: trace.started_at,
    duration_ms: trace.duration_ms,
    total_tokens: trace.total_tokens,
    cost_usd: trace.cost_usd,
    partial_usage_calls: trace.partial_usage_calls,
    quality_score: trace.quality_score,
    grade: trace.grade,
    judged: trace.analyzed,
    analysis: trace.analysis.state,
    rejected_records: trace.rejected_records,
    finding_count: findings.total,
    findings: findings.items.slice(0, MAX_DETECTIONS).map(toDetectionItem),
    failure_rank: trace.failure_rank,
    root_cause: toRootCause(trace, decisive),
    leads: trace.leads.map(toLead),
    step_count: window.total,
    steps: window.items.slice(0, number).map((span, place) => shownStep(span, first + place)),
    next_step: after < window.total ? after : null,
    untrusted: {
      trace_id: trace.trace_id,
      url,
      name: name(trace.name),
      task: optional(trace.task, LIMITS.paragraph),
      framework: name(trace.framework),
      service: optional(trace.service_name, LIMITS.name),
      session_id: optional(trace.session_id, LIMITS.name),
      agents: names(trace.agent_ids),
      models: names(trace.models),
      final_output: optional(trace.final_output, LIMITS.paragraph),
    },
  };
}

function toDetectionItem(detection: DetectionRecord): z.output<typeof detectionItem> {
  const { detection_id, detection_type, subtype, severity, confidence, step } = detection;
  const untrusted = { agent: optional(detection.agent_id, LIMITS.name), title: name(detection.title) };
  return { detection_id, detection_type, subtype, severity, confidence, step, untrusted };
}

function toRootCause({ root_cause: cause }: TraceRecord, stepName: string): Shown['root_cause'] {
  if (cause === null) return null;
  return {
    step: cause.step,
    confidence: cause.confidence,
    shows_at: cause.shows_at?.step ?? null,
    untrusted: {
      agent: optional(cause.agent, LIMITS.name),
      step_name: name(stepName),
      why: firstReasons(cause.why),
    },
  };
}

function toLead({ step, agent, why }: TraceRecord['leads'][number]): z.output<typeof lead> {
  return { step, untrusted: { agent: optional(agent, LIMITS.name), why: firstReasons(why) } };
}

function firstReasons(why: readonly string[]): string[] {
  return why.slice(0, MAX_REASONS).map((reason) => reason.slice(0, LIMITS.line));
}

function headOf(
  { status, judged, analysis, rejected_records, finding_count, findings, step_count, steps, root_cause, leads }: Shown,
  first: number,
): string {
  const shown = steps.length === 0 ? 'none' : `${first} to ${first + steps.length - 1}`;
  return [
    `A trace that ${status === 'running' ? 'is still running' : `ended with ${status}`}, with ${counted(finding_count, 'detection')}${analysisNote(judged, analysis)}.`,
    ...rejectedNote(rejected_records),
    ...(findings.length < finding_count ? [`The worst ${findings.length} of them are shown.`] : []),
    ...(root_cause === null
      ? []
      : [`The failure may have begun at step ${root_cause.step} (${percent(root_cause.confidence)}).`]),
    ...(leads.length === 0 ? [] : [`No detector found anything; look first at ${stepList(leads)}.`]),
    `It has ${counted(step_count, 'step')}, counted from zero; shown: ${shown}.`,
  ].join(' ');
}

function rejectedNote(rejected: Shown['rejected_records']): string[] {
  const text = rejectedText(rejected);
  return text === null ? [] : [text];
}

function stepList(leads: readonly { step: number }[]): string {
  const steps = leads.map(({ step }) => step);
  return steps.length === 1 ? `step ${steps[0]}` : `steps ${steps.join(', ')}`;
}

function analysisNote(judged: boolean, analysis: Shown['analysis']): string {
  if (analysis === 'given_up') return ' so far: its analysis was given up, `misstep traces reanalyze` tries it again';
  if (analysis === 'partial') return '; some detectors did not finish on it';
  return judged ? '' : ' so far: it is not judged yet';
}

function linesOf(trace: Shown, show: Show): string[] {
  const { untrusted } = trace;
  const bound = (trace.partial_usage_calls ?? 0) > 0 ? '≥ ' : '';
  const figures = [
    trace.status,
    trace.started_at,
    ...(trace.duration_ms === null ? [] : [duration(trace.duration_ms)]),
    `${bound}${count(trace.total_tokens)} tokens`,
    ...(trace.cost_usd === null ? [] : [`${bound}${dollars(trace.cost_usd)}`]),
    ...(trace.quality_score === null ? [] : [`quality ${Math.round(trace.quality_score)} (${trace.grade})`]),
    ...(trace.failure_rank === null ? [] : [`failure rank ${trace.failure_rank.toFixed(2)}`]),
  ];
  const labelled = (label: string, text: string | null) => (text === null ? [] : [`${label}: ${show(text)}`]);
  const listed = (label: string, all: string[]) => (all.length === 0 ? [] : [`${label}: ${all.map(show).join(', ')}`]);
  return [
    `trace ${show(untrusted.trace_id)} "${show(untrusted.name)}", ${show(untrusted.framework)}`,
    figures.join(' · '),
    `open: ${show(untrusted.url)}`,
    ...labelled('service', untrusted.service),
    ...labelled('session', untrusted.session_id),
    ...listed('agents', untrusted.agents),
    ...listed('models', untrusted.models),
    ...labelled('task', untrusted.task),
    ...labelled('final output', untrusted.final_output),
    ...detectionLines(trace, show),
    ...causeLines(trace.root_cause, show),
    ...leadLines(trace.leads, show),
    ...(trace.steps.length > 0 ? ['steps:'] : []),
    ...trace.steps.flatMap((step) => stepLine(step, show)),
  ];
}

function detectionLines({ findings }: Shown, show: Show): string[] {
  if (findings.length === 0) return [];
  const lines = findings.map(({ untrusted, ...one }) => {
    const where = one.step === null ? 'the whole run' : `step ${one.step}`;
    const whose = untrusted.agent === null ? '' : `, agent ${show(untrusted.agent)}`;
    const kind = `${one.severity} ${one.detection_type}/${one.subtype}`;
    return `- ${one.detection_id} ${kind}, ${where}${whose}, confidence ${percent(one.confidence)}: ${show(untrusted.title)}`;
  });
  return ['detections:', ...lines];
}

function causeLines(cause: Shown['root_cause'], show: Show): string[] {
  if (cause === null) return [];
  const whose = cause.untrusted.agent === null ? '' : ` of ${show(cause.untrusted.agent)}`;
  const why = cause.untrusted.why.map(show).join('; ');
  return [`may have begun at step ${cause.step} "${show(cause.untrusted.step_name)}"${whose}: ${why}`];
}

function leadLines(leads: Shown['leads'], show: Show): string[] {
  if (leads.length === 0) return [];
  const lines = leads.map(({ step, untrusted: { agent, why } }) => {
    const whose = agent === null ? '' : ` of ${show(agent)}`;
    return `- step ${step}${whose}${why.length === 0 ? '' : `: ${why.map(show).join('; ')}`}`;
  });
  return ['look first at:', ...lines];
}

function nextOf({ next_step, findings, finding_count }: Shown): string[] {
  const worst = findings[0];
  return [
    ...(worst === undefined
      ? []
      : [`explain_finding with detection_id "${worst.detection_id}" explains the worst detection.`]),
    ...(findings.length < finding_count ? ['list_findings with the trace_id lists the other detections.'] : []),
    ...(next_step === null ? [] : [`More steps: call get_trace again with first_step ${next_step}.`]),
  ];
}
