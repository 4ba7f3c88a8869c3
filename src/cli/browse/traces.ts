import type { Backend } from '../../client/backend.ts';
import { AppError } from '../../core/app-error.ts';
import type { TraceOrder } from '../../core/trace-order.ts';
import { listDetectionsOperation } from '../../features/detections/detection.operations.ts';
import {
  getTraceOperation,
  listSpansOperation,
  reanalyzeTracesOperation,
} from '../../features/traces/trace.operations.ts';
import type { TraceSummaryRecord } from '../../features/traces/trace.record.ts';
import { listTracesOperation } from '../../features/traces/trace-list.operations.ts';
import { detectionsOfRecord } from '../analyze/detections-of-record.ts';
import type { CommandContext } from '../context.ts';
import { count, counted, dollars, duration } from '../views/amounts.ts';
import { detectionsText } from '../views/detections-text.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import type { Column } from '../views/table.ts';
import type { OutlineStep } from './outline-steps.ts';
import type { PageFlags } from './page-flags.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';
import { readShape } from './read-detections.ts';
import { type TraceFilterFlags, traceFilterInput } from './trace-filter-flags.ts';

export interface TraceListFlags extends PageFlags, TraceFilterFlags {
  sort?: TraceOrder;
}

export interface TraceReanalyzeFlags {
  givenUp?: boolean;
}

export async function listTraces(context: CommandContext, flags: TraceListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listTracesOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    ...traceFilterInput(flags),
    sort: flags.sort,
  });
  const pages = await backend.pages();
  printPage(context, page, traceColumns(context.style), 'traces', ({ trace_id }) => pages.trace({ traceId: trace_id }));
}

export async function showTrace(context: CommandContext, traceId: string): Promise<void> {
  const backend = await context.backend();
  const address = { tenant_id: await backend.tenantId(), trace_id: traceId };
  const url = (await backend.pages()).trace({ traceId });
  if (context.options.isJson) return context.print.json({ ...(await backend.call(getTraceOperation, address)), url });
  const { trace, steps } = await readShape(backend, address);
  const errors = await readErrors(backend, address, steps);
  const { items } = await backend.call(listDetectionsOperation, { ...address, page_size: 200 });
  context.print.data(`${stepLines(steps, errors, context.style).join('\n')}\n\n`);
  context.print.data(detectionsText([detectionsOfRecord(trace, steps, items)], context));
  context.print.data(`\nopen: ${url}\n`);
  for (const line of analysisNotes(trace)) context.print.note(line);
}

export async function reanalyzeTraces(
  context: CommandContext,
  traceIds: string[],
  { givenUp = false }: TraceReanalyzeFlags,
): Promise<void> {
  if (givenUp === traceIds.length > 0) throw new AppError('usage', 'Name traces, or give --given-up; not both.');
  const backend = await context.backend();
  const tenant_id = await backend.tenantId();
  const body = givenUp ? { given_up: true as const } : { trace_ids: traceIds };
  const answer = await backend.call(reanalyzeTracesOperation, { tenant_id, ...body });
  await backend.workOnAnalyses();
  if (context.options.isJson) return context.print.json(answer);
  context.print.note(`${counted(answer.scheduled, 'trace')} to be analyzed again.`);
  for (const traceId of answer.not_found) context.print.note(`There is no trace ${printableLine(traceId)}.`);
}

/** Notes about the analysis of a trace. */
function analysisNotes({ analysis }: Pick<TraceSummaryRecord, 'analysis'>): string[] {
  const leftOut = analysis.left_out.map(({ detector, reason }) => `Detector ${detector}: ${reason}.`);
  if (analysis.state !== 'given_up') return leftOut;
  const hint = 'misstep traces reanalyze tries it again';
  return [`The analysis was given up (${printableLine(analysis.reason ?? '')}); ${hint}.`, ...leftOut];
}

const IDS_PER_REQUEST = 50;

/** Error messages by span. */
async function readErrors(
  backend: Backend,
  address: { tenant_id: string; trace_id: string },
  steps: readonly OutlineStep[],
): Promise<Map<string, string>> {
  const ids = steps.filter(({ hasFailed }) => hasFailed).map(({ spanId }) => spanId);
  const errors = new Map<string, string>();
  for (let from = 0; from < ids.length; from += IDS_PER_REQUEST) {
    const requestedIds = ids.slice(from, from + IDS_PER_REQUEST).join(',');
    const { items } = await backend.call(listSpansOperation, { ...address, ids: requestedIds });
    for (const { span_id, step } of items)
      if (step?.error) errors.set(span_id, `${step.error.type} ${step.error.message}`);
  }
  return errors;
}

function traceColumns(style: Style): Column<TraceSummaryRecord>[] {
  return [
    { title: 'started', text: (trace) => trace.started_at },
    { title: 'trace', text: (trace) => trace.trace_id },
    { title: 'name', text: (trace) => trace.name, limit: 32 },
    { title: 'framework', text: (trace) => trace.framework, limit: 16 },
    { title: 'status', text: (trace) => trace.status },
    { title: 'steps', text: (trace) => count(trace.span_count), align: 'right' },
    { title: 'tokens', text: (trace) => atLeast(trace, count(trace.total_tokens)), align: 'right' },
    {
      title: 'cost',
      text: (trace) => (trace.cost_usd === null ? '–' : atLeast(trace, dollars(trace.cost_usd))),
      align: 'right',
    },
    { title: 'grade', text: (trace) => trace.grade ?? '–' },
    { title: 'rank', text: (trace) => trace.failure_rank?.toFixed(2) ?? '–', align: 'right' },
    {
      title: 'detections',
      text: detectionsCell,
      paint: (trace, text) => (trace.max_severity ? style.severity(trace.max_severity, text) : text),
    },
  ];
}

/** Tokens and cost of incompletely recorded answers are lower bounds. */
function atLeast({ partial_usage_calls }: TraceSummaryRecord, text: string): string {
  return (partial_usage_calls ?? 0) > 0 ? `≥ ${text}` : text;
}

function detectionsCell({ analysis, detection_count, max_severity }: TraceSummaryRecord): string {
  if (analysis.state === 'given_up') return 'given up';
  if (analysis.state === 'pending') return 'pending';
  return detection_count === 0 ? 'none' : `${detection_count} (${max_severity})`;
}

function stepLines(steps: readonly OutlineStep[], errors: ReadonlyMap<string, string>, style: Style): string[] {
  return steps.map((step, index) => {
    const name = `${'  '.repeat(step.depth)}${printableLine(step.name)}`;
    const facts = [
      step.kind,
      ...(step.agent ? [printableLine(step.agent)] : []),
      ...(step.model ? [printableLine(step.model)] : []),
      ...(step.durationMs === null ? [] : [duration(step.durationMs)]),
    ];
    const text = errors.get(step.spanId);
    const error = text === undefined ? '' : style.severity('critical', ` ${printableLine(text)}`);
    return `${String(index).padStart(4)}  ${name}  ${style.dim(facts.join(' · '))}${error}`;
  });
}
