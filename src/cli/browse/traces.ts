import { listDetectionsOperation } from '../../features/detections/detection.operations.ts';
import { getTraceOperation, listTracesOperation } from '../../features/traces/trace.operations.ts';
import type { TraceRecord, TraceSummaryRecord } from '../../features/traces/trace.record.ts';
import { findingsOfRecord } from '../analyze/findings-of-record.ts';
import type { TraceListFlags } from '../commands/traces.command.ts';
import type { CommandContext } from '../context.ts';
import { count, dollars, duration } from '../views/amounts.ts';
import { findingsText } from '../views/findings-text.ts';
import { printableLine } from '../views/printable.ts';
import type { Style } from '../views/style.ts';
import type { Column } from '../views/table.ts';
import { pageInput } from './page-flags.ts';
import { printPage } from './print-page.ts';

export async function listTraces(context: CommandContext, flags: TraceListFlags): Promise<void> {
  const backend = await context.backend();
  const page = await backend.call(listTracesOperation, {
    tenant_id: await backend.tenantId(),
    ...pageInput(flags),
    agent_id: flags.agent,
    status: flags.status,
    framework: flags.framework,
    min_severity: flags.minSeverity,
    text: flags.text,
    date_from: flags.from,
    date_to: flags.to,
  });
  printPage(context, page, traceColumns(context.style), 'traces');
}

export async function showTrace(context: CommandContext, traceId: string): Promise<void> {
  const backend = await context.backend();
  const address = { tenant_id: await backend.tenantId(), trace_id: traceId };
  const trace = await backend.call(getTraceOperation, address);
  if (context.options.isJson) return context.print.json(trace);
  const { items } = await backend.call(listDetectionsOperation, { ...address, page_size: 200 });
  context.print.data(`${stepLines(trace, context.style).join('\n')}\n\n`);
  context.print.data(findingsText([findingsOfRecord(trace, items)], context));
}

function traceColumns(style: Style): Column<TraceSummaryRecord>[] {
  return [
    { title: 'started', text: (trace) => trace.started_at },
    { title: 'trace', text: (trace) => trace.trace_id },
    { title: 'name', text: (trace) => trace.name, limit: 32 },
    { title: 'framework', text: (trace) => trace.framework, limit: 16 },
    { title: 'status', text: (trace) => trace.status },
    { title: 'steps', text: (trace) => count(trace.span_count), align: 'right' },
    { title: 'tokens', text: (trace) => count(trace.total_tokens), align: 'right' },
    { title: 'cost', text: (trace) => (trace.cost_usd === null ? '–' : dollars(trace.cost_usd)), align: 'right' },
    { title: 'grade', text: (trace) => trace.grade ?? '–' },
    {
      title: 'findings',
      text: findingsCell,
      paint: (trace, text) => (trace.max_severity ? style.severity(trace.max_severity, text) : text),
    },
  ];
}

function findingsCell({ analyzed, detection_count, max_severity }: TraceSummaryRecord): string {
  if (!analyzed) return 'pending';
  return detection_count === 0 ? 'none' : `${detection_count} (${max_severity})`;
}

function stepLines(trace: TraceRecord, style: Style): string[] {
  return trace.spans.map((span, index) => {
    const { step } = span;
    const name = `${'  '.repeat(step?.depth ?? 0)}${printableLine(span.name)}`;
    const facts = [
      ...(step ? [step.kind] : []),
      ...(step?.agent_id ? [printableLine(step.agent_id)] : []),
      ...(step?.model ? [printableLine(step.model)] : []),
      ...(span.duration_ms === null ? [] : [duration(span.duration_ms)]),
    ];
    const error = step?.error
      ? style.severity('critical', ` ${printableLine(`${step.error.type} ${step.error.message}`)}`)
      : '';
    return `${String(index).padStart(4)}  ${name}  ${style.dim(facts.join(' · '))}${error}`;
  });
}
