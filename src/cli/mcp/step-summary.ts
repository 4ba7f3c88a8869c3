import { z } from 'zod';
import type { SpanRecord } from '../../features/traces/trace.record.ts';
import { duration } from '../views/amounts.ts';
import { cut } from './plain-text.ts';
import { LIMITS, name, optional } from './text-limits.ts';
import type { Show } from './tool.ts';

/** A step in a list: its identity, and the beginnings of its input and output. */
export const stepSummary = z.object({
  step: z.number().int(),
  kind: z.string(),
  duration_ms: z.number().nullable(),
  tokens: z.number().nullable(),
  failed: z.boolean(),
  untrusted: z.object({
    name: z.string(),
    agent: z.string().nullable(),
    model: z.string().nullable(),
    tool: z.string().nullable(),
    input: z.string().nullable(),
    output: z.string().nullable(),
    error: z.string().nullable(),
  }),
});
export type StepSummary = z.output<typeof stepSummary>;

export function shownStep({ name: spanName, duration_ms, step }: SpanRecord, place: number): StepSummary {
  return {
    step: step?.index ?? place,
    kind: step?.kind ?? 'other',
    duration_ms,
    tokens: step?.tokens.total ?? null,
    failed: step?.error != null,
    untrusted: {
      name: name(spanName),
      agent: optional(step?.agent_id, LIMITS.name),
      model: optional(step?.model, LIMITS.name),
      tool: optional(step?.tool?.name, LIMITS.name),
      input: optional(step?.tool ? jsonText(step.tool.arguments) : step?.input, LIMITS.line),
      output: optional(step?.tool ? jsonText(step.tool.result) : step?.output, LIMITS.line),
      error: step?.error ? cut(`${step.error.type} ${step.error.message}`.trim(), LIMITS.line) : null,
    },
  };
}

export function stepLine({ step, kind, duration_ms, tokens, untrusted }: StepSummary, show: Show): string[] {
  const { name: title, agent, model, tool, input, output, error } = untrusted;
  const facts = [
    kind,
    ...(agent === null ? [] : [`agent ${show(agent)}`]),
    ...(tool === null ? [] : [`tool ${show(tool)}`]),
    ...(model === null ? [] : [show(model)]),
    ...(duration_ms === null ? [] : [duration(duration_ms)]),
    ...(tokens === null ? [] : [`${tokens} tokens`]),
  ];
  const labelled = (label: string, text: string | null) => (text === null ? [] : [`    ${label}: ${show(text)}`]);
  return [
    `- step ${step} "${show(title)}": ${facts.join(' · ')}`,
    ...labelled('in', input),
    ...labelled('out', output),
    ...labelled('error', error),
  ];
}

/** Text unchanged, anything else as JSON; empty if there is nothing. */
export function jsonText(value: unknown): string {
  if (value === null || value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
