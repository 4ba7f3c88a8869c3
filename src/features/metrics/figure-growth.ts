import type { AlertChannel, SendOutcome } from '../../core/alert.ts';
import type { Detection } from '../../core/detection.ts';
import { DAY_TRACES } from '../../store/figure.store.ts';
import type { FigureTable } from '../../store/figure-tables.ts';
import type { TraceTable } from '../../store/schema.ts';
import type { TouchedTrace, TraceTouch } from '../../store/trace.store.ts';

/** Growth from a commit of spans. */
export function ingestFigures(
  traces: readonly TouchedTrace[],
  touches: readonly TraceTouch[],
  now: number,
): FigureTable[] {
  const day = utcDay(now);
  const newTraces = traces.filter((trace) => trace.isNew);
  return [
    ...newTraces.map(({ tenantNo }) => ({ tenant_no: tenantNo, name: 'traces', label: '', value: 1 })),
    ...newTraces.map(({ tenantNo }) => ({ tenant_no: tenantNo, name: DAY_TRACES, label: day, value: 1 })),
    ...touches.map(({ tenantNo, newSpans }) => ({ tenant_no: tenantNo, name: 'spans', label: '', value: newSpans })),
  ];
}

/** Growth from analyses. A later analysis with fewer detections subtracts nothing: counters only grow. */
export function analysisFigures(
  tenantNo: number,
  traces: readonly { before: TraceTable; after: TraceTable }[],
  announced: readonly Pick<Detection, 'type' | 'severity'>[],
): FigureTable[] {
  const figure = (name: string, label: string, value: number) => ({ tenant_no: tenantNo, name, label, value });
  return [
    ...traces.map(({ before, after }) => figure('tokens', '', after.total_tokens - before.total_tokens)),
    ...traces.map(({ before, after }) => figure('cost_usd', '', (after.cost_usd ?? 0) - (before.cost_usd ?? 0))),
    ...announced.map(({ type, severity }) => figure('detections', `${type}/${severity}`, 1)),
  ];
}

/** Growth from one attempt to deliver an alert; an attempt that will be retried adds nothing yet. */
export function alertFigures(tenantNo: number, channel: AlertChannel, outcome: SendOutcome): FigureTable[] {
  if (outcome.kind === 'retry') return [];
  const result = outcome.kind === 'delivered' ? 'delivered' : 'failed';
  return [{ tenant_no: tenantNo, name: 'alerts', label: `${channel}/${result}`, value: 1 }];
}

/** `2026-01-31`. */
export function utcDay(now: number): string {
  return new Date(now).toISOString().slice(0, 10);
}
