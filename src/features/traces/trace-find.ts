import { z } from 'zod';
import type { Span } from '../../core/span.ts';
import type { Step, Trace } from '../../core/trace.ts';

const foundRecord = z.object({
  span_id: z.string(),
  step: z.number().int(),
  field: z
    .string()
    .describe(
      '`name`, `agent`, `model`, `tool`, `arguments`, `result`, `input`, `output`, `error`, `messages/<index>`, `attributes/<key>`',
    ),
  snippet: z.object({ before: z.string(), match: z.string(), after: z.string() }).describe('As it is stored: redacted'),
});
type FoundRecord = z.input<typeof foundRecord>;

export const traceFindRecord = z
  .object({
    trace_id: z.string(),
    items: z.array(foundRecord).describe('In order of steps; the first place in each field'),
    searched_steps: z.number().int().describe('Steps that this response covers'),
    total_steps: z.number().int(),
    next_step: z
      .number()
      .int()
      .nullable()
      .describe('`from_step` of the next page; null at the end of the trace. A page may have no items'),
  })
  .meta({ id: 'TraceFind' });
export type TraceFindRecord = z.input<typeof traceFindRecord>;

/** Maximum characters searched per request; a step is always searched as a whole. */
const MAX_CHARACTERS = 64_000_000;
const BEFORE = 60;
const AFTER = 120;

export interface Search {
  text: string;
  from: number;
  /** The response ends with the step that reaches this many items. */
  count: number;
}

/** @param spans the span behind each step */
export function findInTrace(
  traceId: string,
  { steps }: Trace,
  spans: readonly Span[],
  { text, from, count }: Search,
): TraceFindRecord {
  const pattern = new RegExp(text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'iu');
  const items: FoundRecord[] = [];
  let characters = 0;
  let at = from;
  for (; at < steps.length && items.length < count && characters < MAX_CHARACTERS; at += 1) {
    const step = steps[at]!;
    const before = items.length;
    for (const [field, value] of fieldsOf(step)) {
      characters += value.length;
      addMatch(items, pattern, step, field, value);
    }
    // Attributes also contain the values of the fields above: only other matches count.
    if (items.length > before) continue;
    for (const [key, value] of Object.entries(spans[at]!.attributes)) {
      const shown = typeof value === 'string' ? value : String(JSON.stringify(value));
      characters += shown.length;
      if (addMatch(items, pattern, step, `attributes/${key}`, shown)) break;
    }
  }
  return {
    trace_id: traceId,
    items,
    searched_steps: Math.max(0, at - from),
    total_steps: steps.length,
    next_step: at < steps.length ? at : null,
  };
}

function* fieldsOf(step: Step): Generator<[field: string, text: string]> {
  const { tool, error } = step;
  yield ['name', step.name];
  if (step.agent !== null) yield ['agent', step.agent];
  if (step.model !== null) yield ['model', step.model];
  if (tool !== null) yield ['tool', tool.name];
  yield [tool === null ? 'input' : 'arguments', step.input];
  yield [tool === null ? 'output' : 'result', step.output];
  if (error !== null) yield ['error', `${error.type} ${error.message}`.trim()];
  // The last message is the input.
  for (const [at, { content }] of step.inputMessages.entries())
    if (content !== step.input) yield [`messages/${at}`, content];
}

function addMatch(items: FoundRecord[], pattern: RegExp, step: Step, field: string, text: string): boolean {
  const found = pattern.exec(text);
  if (found === null) return false;
  const end = found.index + found[0].length;
  const snippet = {
    before: text.slice(Math.max(0, found.index - BEFORE), found.index).toWellFormed(),
    match: found[0],
    after: text.slice(end, end + AFTER).toWellFormed(),
  };
  items.push({ span_id: step.spanId, step: step.index, field, snippet });
  return true;
}
