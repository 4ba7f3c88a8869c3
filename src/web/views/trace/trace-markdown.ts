import type { Detection } from '../../../client/misstep-client.generated.ts';
import { atLeast, dollars, duration, exactWasteText, NOT_MEASURED, pluralize } from '../../parts/amounts.ts';
import { confidenceText } from '../../parts/confidence-text.ts';
import { visibleText } from '../../parts/visible-text.ts';
import type { TraceState } from './trace-state.ts';

const MAX_DETECTIONS = 20;

/** A Markdown summary of the run and its detections. Text of the trace is escaped. */
export function traceMarkdown(state: TraceState, link: string): string {
  const trace = state.trace.value;
  const facts = [
    trace.status,
    pluralize(trace.span_count, 'step'),
    ...(trace.cost_usd === null ? [] : [atLeast(trace, dollars(trace.cost_usd))]),
    ...(trace.duration_ms === null ? [] : [duration(trace.duration_ms * 1_000)]),
    ...(trace.rejected_records === null ? [] : [`${pluralize(trace.rejected_records.count, 'record')} rejected`]),
  ];
  const detections = state.detections.value.ordered.filter(({ severity }) => severity !== 'observation');
  return [
    `**${escapeMarkdown(trace.name)}**: ${facts.join(', ')}`,
    link,
    ...detections.slice(0, MAX_DETECTIONS).map(detectionLine),
  ].join('\n\n');
}

export function detectionLine(detection: Detection): string {
  const step = detection.step === null ? 'whole run' : `step ${detection.step}`;
  const actor = detection.agent_id === null ? [] : [escapeMarkdown(detection.agent_id)];
  const where = [...actor.map((name) => (detection.agent_kind === 'node' ? `node ${name}` : name)), step].join(', ');
  const waste = exactWasteText({ tokens: detection.wasted_tokens, cost: detection.wasted_cost_usd });
  const wasted = waste === NOT_MEASURED ? '' : `\n  Wasted: ${waste}`;
  const fix = detection.suggested_action === '' ? '' : `\n  Fix: ${escapeMarkdown(detection.suggested_action)}`;
  return `- **${detection.severity}**, ${where}: ${escapeMarkdown(detection.title)} (${confidenceText(detection)})\n  ${escapeMarkdown(detection.explanation)}${wasted}${fix}`;
}

/** Escapes Markdown and HTML, and joins lines. */
export function escapeMarkdown(text: string): string {
  return visibleText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_{}[\]()<>#+!|~@&-]/g, '\\$&')
    .replace(/:\/\//g, ':\\//');
}
