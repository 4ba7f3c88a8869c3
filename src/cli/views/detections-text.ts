import { SEVERITIES } from '../../core/severity.ts';
import { cut } from '../../detectors/_kit/text.ts';
import { isCodingAgent } from '../../detectors/_readings/conduct/coding-session.ts';
import { MISSING_TEXT } from '../../detectors/_runner/needs.ts';
import type { DetectionRecord } from '../../features/detections/detection.record.ts';
import { count, counted, dollars, duration, percent, wasteText } from './amounts.ts';
import { confidenceWithEvidence } from './confidence.ts';
import { evidenceText, repeatedText } from './evidence-text.ts';
import { printableLine, printableName, printableParagraph } from './printable.ts';
import type { Style } from './style.ts';
import {
  leadsIntro,
  placeOf,
  rejectedText,
  type StepName,
  spanPlace,
  type TraceDetections,
  type TraceHead,
} from './trace-detections.ts';
import { indent, wrap } from './wrap.ts';

export interface TextOptions {
  style: Style;
  /** Maximum columns. */
  width: number;
}

const MAX_WIDTH = 100;
const SHOWN_EVIDENCE = 4;

/** Text output: each trace with its detections, and a summary at the end. */
export function detectionsText(all: readonly TraceDetections[], options: TextOptions): string {
  const bounded = { ...options, width: Math.max(40, Math.min(options.width, MAX_WIDTH)) };
  const runs = new Map(all.map(({ trace }) => [trace.trace_id, trace]));
  return `${[...all.map((traceDetections) => traceText(traceDetections, runs, bounded)), summaryText(all)].join('\n\n')}\n`;
}

type Runs = ReadonlyMap<string, TraceHead>;

function traceText(traceDetections: TraceDetections, runs: Runs, options: TextOptions): string {
  const { style } = options;
  const { trace, detections, source } = traceDetections;
  const title = `${style.bold(printableName(trace.name) || '(unnamed)')}  ${style.dim(printableLine(trace.trace_id))}`;
  const figures = style.dim([...(source ? [printableLine(source)] : []), ...traceFigures(traceDetections)].join(' · '));
  const body =
    detections.length === 0
      ? [emptyText(traceDetections, options)]
      : detections.map((detection) => detectionText(detection, traceDetections.steps, options));
  const parts = [
    ...body,
    ...rootCauseText(traceDetections, options),
    ...linkedText(traceDetections, runs, options),
  ].flatMap((part) => ['', part]);
  return [
    title,
    figures,
    ...rejectedNote(traceDetections, options),
    ...parts,
    ...notRunNotes(traceDetections, options),
  ].join('\n');
}

function rejectedNote({ trace }: TraceDetections, { style, width }: TextOptions): string[] {
  const text = rejectedText(trace.rejected_records);
  return text === null ? [] : wrap(text, width).map((line) => style.severity('warning', line));
}

function emptyText({ trace, steps }: TraceDetections, { style, width }: TextOptions): string {
  if (trace.leads.length === 0) return `  ${style.success('No failures found.')}`;
  const lines = trace.leads.map(({ step, agent, why }) => {
    const reasons = why.length === 0 ? '' : `: ${why.map(printableLine).join(', ')}`;
    return indent(wrap(`${stepOf(step, agent, steps)}${reasons}`, width - 6), '    - ');
  });
  return [indent(wrap(leadsIntro(trace), width - 2), '  '), ...lines].join('\n');
}

/** The possible origin of the failure, shown before the detections. */
function rootCauseText({ trace, steps }: TraceDetections, { style, width }: TextOptions): string[] {
  const cause = trace.root_cause;
  if (cause === null) return [];
  const { shows_at: shown } = cause;
  const start =
    shown === null ? 'The failure' : `The failure shows at step ${shown.step} (${printableName(shown.title)}) and`;
  const where = stepOf(cause.step, cause.agent, steps);
  const why = cause.why.map(printableLine).join(', ');
  const text = `${start} may have begun at ${where}: ${why} (estimate: ${percent(cause.confidence)}).`;
  return [style.dim(indent(wrap(text, width - 2), '  '))];
}

/** `step 2 "plan" of planner`. */
function stepOf(step: number, agent: string | null, steps: readonly StepName[]): string {
  const whose = agent === null ? '' : ` of ${printableName(agent)}`;
  return `step ${step} "${printableName(steps[step]?.name ?? '')}"${whose}`;
}

const LINKED_SHOWN = 10;

/** Related runs, each with its name, and its status if it is among those shown. */
function linkedText({ linked = [], steps }: TraceDetections, runs: Runs, { style, width }: TextOptions): string[] {
  if (linked.length === 0) return [];
  const linkedRuns = linked.slice(0, LINKED_SHOWN).map(({ traceId, step }) => {
    const run = runs.get(traceId);
    const name = run === undefined ? traceId : `${printableName(run.name)} ${traceId} (${run.status})`;
    return step === null
      ? `started by ${name}`
      : `step ${step} "${printableName(steps[step]?.name ?? '')}" started ${name}`;
  });
  const more = linked.length > LINKED_SHOWN ? [`and ${linked.length - LINKED_SHOWN} more`] : [];
  return [style.dim(indent(wrap(`Linked runs: ${[...linkedRuns, ...more].join('; ')}.`, width - 2), '  '))];
}

function traceFigures({ trace, isUsagePartial }: TraceDetections): string[] {
  const bound = isUsagePartial ? '≥ ' : '';
  const agents = trace.agent_ids.length;
  return [
    printableLine(trace.framework),
    counted(trace.span_count, 'step'),
    ...(agents === 0 ? [] : [counted(agents, 'agent')]),
    ...(trace.total_tokens > 0 ? [`${bound}${count(trace.total_tokens)} tokens`] : []),
    ...(trace.cost_usd === null ? [] : [`${bound}${dollars(trace.cost_usd)}`]),
    ...(trace.duration_ms === null ? [] : [duration(trace.duration_ms)]),
    trace.status,
    ...(trace.failure_rank === null ? [] : [`failure rank ${trace.failure_rank.toFixed(2)}`]),
  ];
}

/** One detection as a block, indented by two. */
export function detectionText(detection: DetectionRecord, steps: readonly StepName[], options: TextOptions): string {
  const { style, width } = options;
  const label = style.severity(detection.severity, detection.severity.toUpperCase());
  const kind = style.bold(`${detection.detection_type}/${detection.subtype}`);
  const where = [
    ...(detection.agent_id === null ? [] : [`${detection.agent_kind} ${printableName(detection.agent_id)}`]),
    printableName(placeOf(detection, steps)),
    confidenceWithEvidence(detection),
  ];
  const paragraph = (text: string) => indent(wrap(printableParagraph(text), width - 4), '    ');
  return [
    `  ${label}  ${kind}  ${where.join(' · ')}`,
    `    ${style.bold(printableName(detection.title))}`,
    paragraph(detection.explanation),
    ...evidenceLines(detection, steps, options),
    ...labelled('wasted', wasteText(detection), width),
    ...labelled('fix', fixText(detection), width),
  ].join('\n');
}

function evidenceLines(
  detection: DetectionRecord,
  steps: readonly StepName[],
  { width, style }: TextOptions,
): string[] {
  const shown = detection.evidence.slice(0, SHOWN_EVIDENCE).map((evidence) => {
    const place = [spanPlace(evidence.span_id, steps), evidence.path ?? evidence.kind].map(printableLine).join(' ');
    return indent(wrap(`${place}${repeatedText(evidence)}: ${quoted(evidenceText(evidence))}`, width - 6), '    - ');
  });
  const hidden = detection.evidence.length - shown.length;
  return hidden > 0 ? [...shown, style.dim(`    - and ${hidden} more`)] : shown;
}

const SHOWN_QUOTE = 200;

function quoted(text: string): string {
  const line = printableLine(text);
  return cut(line, SHOWN_QUOTE);
}

function fixText(detection: DetectionRecord): string {
  const fix = detection.fixes[0];
  return fix
    ? `${printableName(fix.title)}: ${printableParagraph(fix.description)}`
    : printableParagraph(detection.suggested_action);
}

function labelled(label: string, text: string, width: number): string[] {
  return text === '' ? [] : [indent(wrap(text, width - 12), `    ${label.padEnd(8)}`)];
}

/** Lists detectors that did not run, so that a run without detections is not taken for clean. */
function notRunNotes({ trace, notApplicable, crashed }: TraceDetections, { style, width }: TextOptions): string[] {
  const skipped = Map.groupBy(
    notApplicable.filter(({ why }) => !isNormal(trace, why)),
    ({ why }) => why,
  );
  const notes = [
    ...[...skipped].map(([why, detectors]) => `${detectors.map(({ type }) => type).join(', ')} (${why})`),
    ...crashed.map(({ type, message }) => `${type} (failed: ${printableLine(message)})`),
  ];
  if (notes.length === 0) return [];
  const lines = wrap(`Not judged: ${notes.join(', ')}`, width - 2);
  return ['', ...lines.map((line) => style.dim(`  ${line}`))];
}

/** A coding agent never records state. JUnit output has every reason. */
function isNormal({ framework }: TraceHead, why: string): boolean {
  return isCodingAgent(framework) && why === MISSING_TEXT.states;
}

function summaryText(all: readonly TraceDetections[]): string {
  const detections = all.flatMap((traceDetections) => traceDetections.detections);
  const bySeverity = SEVERITIES.map((severity) => ({
    severity,
    number: detections.filter((detection) => detection.severity === severity).length,
  })).filter(({ number }) => number > 0);
  const split = bySeverity.map(({ severity, number }) => `${number} ${severity}`).join(', ');
  const sum = `${counted(detections.length, 'detection')} in ${counted(all.length, 'trace')}`;
  return split === '' ? `${sum}.` : `${sum}: ${split}.`;
}
