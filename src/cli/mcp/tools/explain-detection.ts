import { z } from 'zod';
import type { Backend } from '../../../client/backend.ts';
import { AppError } from '../../../core/app-error.ts';
import { SEVERITIES } from '../../../core/severity.ts';
import type { WebAddress } from '../../../core/web-address.ts';
import { getDetectionOperation } from '../../../features/detections/detection.operations.ts';
import type { DetectionRecord } from '../../../features/detections/detection.record.ts';
import { getTraceOperation, listSpansOperation } from '../../../features/traces/trace.operations.ts';
import { urlOfDetection } from '../../browse/urls.ts';
import { percent, wasteText } from '../../views/amounts.ts';
import { repeatedText } from '../../views/evidence-text.ts';
import { cut } from '../plain-text.ts';
import { jsonText } from '../step-summary.ts';
import { LIMITS, name, optional } from '../text-limits.ts';
import { defineTool, type Show } from '../tool.ts';

const MAX_EVIDENCE = 12;

const input = z.strictObject({
  detection_id: z.string().min(1).max(200).describe('det_…, as returned by list_findings and get_trace'),
});

const evidence = z.object({
  kind: z.string(),
  step: z.number().int().nullable(),
  step_count: z.number().int().describe('Steps with the same text'),
  untrusted: z.object({ path: z.string().nullable(), said: z.string().nullable() }),
});

const output = z.object({
  detection_id: z.string(),
  detection_type: z.string(),
  subtype: z.string(),
  failure_modes: z.array(z.string()),
  severity: z.enum(SEVERITIES),
  confidence: z.number(),
  calibrated: z.boolean(),
  basis: z.enum(['fact', 'calibrated', 'uncalibrated']),
  tier: z.string(),
  method: z.string(),
  step: z.number().int().nullable().describe('Zero-based; null: it is about the whole run'),
  created_at: z.string(),
  withdrawn: z.boolean().describe('It no longer fires'),
  said_to_be_right: z.boolean().nullable().describe("A person's feedback; null if absent"),
  issue_id: z.string().nullable(),
  wasted_tokens: z.number(),
  wasted_cost_usd: z.number(),
  fix_count: z.number().int(),
  evidence: z.array(evidence),
  evidence_count: z.number().int(),
  untrusted: z.object({
    trace_id: z.string(),
    trace_name: z.string().nullable(),
    step_name: z.string().nullable(),
    agent: z.string().nullable(),
    title: z.string(),
    explanation: z.string(),
    business_impact: z.string(),
    suggested_action: z.string(),
    url: z.string().describe('Opens it in the dashboard'),
  }),
});
type Shown = z.output<typeof output>;

export const explainDetectionTool = defineTool({
  name: 'explain_finding',
  title: 'Explain a detection',
  description:
    'Returns all facts about one detection: the failure, agent and step, evidence, confidence, ' +
    'what it costs and what to do.',
  input,
  output,
  async run(backend, { detection_id }) {
    const tenant_id = await backend.tenantId();
    const detection = await backend.call(getDetectionOperation, { tenant_id, detection_id });
    const data = toShown(detection, await readTraceContext(backend, tenant_id, detection), await backend.pages());
    return { head: headOf(data), data, dataIs: 'data from a trace', lines: linesOf, next: nextOf(data) };
  },
});

/** The trace fields that an explanation includes. */
interface TraceContext {
  traceName: string | null;
  stepName: string | null;
  /** Spans that the evidence names. */
  stepOf: ReadonlyMap<string, number>;
}

const NO_TRACE_CONTEXT: TraceContext = { traceName: null, stepName: null, stepOf: new Map() };

/** For a short time a detection may exist without its trace; it is still shown. */
async function readTraceContext(backend: Backend, tenantId: string, detection: DetectionRecord): Promise<TraceContext> {
  const address = { tenant_id: tenantId, trace_id: detection.trace_id };
  const shown = detection.evidence.slice(0, MAX_EVIDENCE).flatMap(({ span_id }) => (span_id === '' ? [] : [span_id]));
  try {
    const { name: traceName } = await backend.call(getTraceOperation, { ...address, include: 'none' });
    const { items } =
      shown.length === 0
        ? { items: [] }
        : await backend.call(listSpansOperation, { ...address, ids: [...new Set(shown)].join(',') });
    const stepOf = new Map(items.map((span, place) => [span.span_id, span.step?.index ?? place]));
    const [step] =
      detection.step === null
        ? []
        : (await backend.call(listSpansOperation, { ...address, from_step: detection.step, count: 1 })).items;
    return { traceName, stepName: step?.name ?? null, stepOf };
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return NO_TRACE_CONTEXT;
    throw error;
  }
}

function toShown(detection: DetectionRecord, { traceName, stepName, stepOf }: TraceContext, pages: WebAddress): Shown {
  return {
    detection_id: detection.detection_id,
    detection_type: detection.detection_type,
    subtype: detection.subtype,
    failure_modes: detection.failure_modes,
    severity: detection.severity,
    confidence: detection.confidence,
    calibrated: detection.calibrated,
    basis: detection.basis,
    tier: detection.tier,
    method: detection.method,
    step: detection.step,
    created_at: detection.created_at,
    withdrawn: detection.withdrawn_at !== null,
    said_to_be_right: detection.validation?.is_valid ?? null,
    issue_id: detection.issue_id,
    wasted_tokens: detection.wasted_tokens,
    wasted_cost_usd: detection.wasted_cost_usd,
    fix_count: detection.fixes.length,
    evidence: detection.evidence.slice(0, MAX_EVIDENCE).map(({ kind, span_id, step_count, path, quote, value }) => ({
      kind,
      step: stepOf.get(span_id) ?? null,
      step_count,
      untrusted: { path: optional(path, LIMITS.name), said: optional(quote ?? jsonText(value), LIMITS.excerpt) },
    })),
    evidence_count: detection.evidence.length,
    untrusted: {
      trace_id: detection.trace_id,
      trace_name: optional(traceName, LIMITS.name),
      step_name: optional(stepName, LIMITS.name),
      agent: optional(detection.agent_id, LIMITS.name),
      title: name(detection.title),
      explanation: cut(detection.explanation, LIMITS.paragraph),
      business_impact: cut(detection.business_impact, LIMITS.paragraph),
      suggested_action: cut(detection.suggested_action, LIMITS.paragraph),
      url: urlOfDetection(pages, detection),
    },
  };
}

function headOf(detection: Shown): string {
  const { severity, detection_type, subtype, step, evidence_count, evidence: shown } = detection;
  return [
    `${severity} detection ${detection_type}/${subtype} ${step === null ? 'about the whole run' : `at step ${step}`}.`,
    confidenceText(detection),
    ...(detection.withdrawn ? ['It no longer fires: the trace was analyzed again since.'] : []),
    ...(detection.said_to_be_right === null
      ? []
      : [`A person said that it is ${detection.said_to_be_right ? 'right' : 'a false alarm'}.`]),
    ...(shown.length < evidence_count ? [`${shown.length} of ${evidence_count} pieces of evidence are shown.`] : []),
  ].join(' ');
}

function confidenceText({ confidence, calibrated, basis }: Shown): string {
  if (basis === 'fact') return 'It is a fact: it can be read in the trace.';
  return calibrated
    ? `Confidence ${percent(confidence)}, calibrated on labelled runs.`
    : `Confidence ${percent(confidence)}, not calibrated: no labelled runs show how often such detections are right.`;
}

function linesOf(detection: Shown, show: Show): string[] {
  const { untrusted } = detection;
  const waste = wasteText(detection);
  const traceName = untrusted.trace_name === null ? '' : ` "${show(untrusted.trace_name)}"`;
  const stepName = untrusted.step_name === null ? '' : ` "${show(untrusted.step_name)}"`;
  return [
    `what: ${show(untrusted.title)}`,
    `trace: ${show(untrusted.trace_id)}${traceName}`,
    `where: ${detection.step === null ? 'the whole run' : `step ${detection.step}${stepName}`}`,
    ...(untrusted.agent === null ? [] : [`agent: ${show(untrusted.agent)}`]),
    `why: ${show(untrusted.explanation)}`,
    'evidence:',
    ...detection.evidence.map((piece) => evidenceLine(piece, show)),
    `impact: ${show(untrusted.business_impact)}`,
    ...(waste === '' ? [] : [`wasted: ${waste}`]),
    `what to do: ${show(untrusted.suggested_action)}`,
    `open: ${show(untrusted.url)}`,
  ];
}

function evidenceLine({ kind, step, step_count, untrusted }: z.output<typeof evidence>, show: Show): string {
  const where = step === null ? 'the run' : `step ${step}${repeatedText({ step_count })}`;
  const path = untrusted.path === null ? '' : ` (${show(untrusted.path)})`;
  return `- ${where} ${kind}${path}${untrusted.said === null ? '' : `: ${show(untrusted.said)}`}`;
}

function nextOf({ detection_id, fix_count, step }: Shown): string[] {
  return [
    ...(fix_count === 0 ? [] : [`suggest_fix with detection_id "${detection_id}" shows what would fix it.`]),
    ...(step === null ? [] : [`get_step with the trace_id and step ${step} reads that step in full.`]),
  ];
}
