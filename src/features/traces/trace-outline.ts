import { z } from 'zod';
import { isJsonObject } from '../../core/json.ts';
import type { Span } from '../../core/span.ts';
import type { Step, Trace } from '../../core/trace.ts';

const numbers = z.array(z.number().int());
const places = (list: string) => numbers.describe(`Index into \`${list}\`; -1 if there is none`);

/**
 * The shape of a trace without its texts: columns of equal length, one entry a step, in order of steps. Differences are
 * used where they are shorter than the numbers: a trace of 50,000 spans takes about 2.5 MB.
 */
export const traceOutlineRecord = z
  .object({
    trace_id: z.string(),
    total: z.number().int().describe('Number of steps: the length of each column'),
    base_unix_us: z.string().describe('Microseconds since 1970 of the first step that has a time; as text'),
    names: z.array(z.string()),
    kinds: z.array(z.string()),
    agents: z.array(z.string()),
    models: z.array(z.string()),
    columns: z.object({
      span_id: z.array(z.string()),
      parent: numbers.describe('Distance to the parent step; 0 for a step without parent'),
      name: places('names'),
      kind: z.string().describe('One digit a step: index into `kinds`'),
      agent: places('agents'),
      model: places('models'),
      start_us: z
        .array(z.number().int().nullable())
        .describe('Microseconds from the start of the step before that has one, or from the base; null without a time'),
      duration_us: z.array(z.number().int().nullable()).describe('Null where no end was sent'),
      status: z.string().describe('One digit a step: 0 unset, 1 ok, 2 error'),
      tokens: numbers.describe('Total of the step itself, 0 where unknown'),
      repeat: numbers.describe(
        'Steps of one parent with the same kind, name, agent, tool and names of arguments have the same number; 0 for a step without an equal one',
      ),
    }),
  })
  .meta({ id: 'TraceOutline' });
export type TraceOutlineRecord = z.input<typeof traceOutlineRecord>;

/** @param spans the span behind each step */
export function outlineOf(traceId: string, { steps }: Trace, spans: readonly Span[]): TraceOutlineRecord {
  const names = new Dictionary();
  const kinds = new Dictionary();
  const agents = new Dictionary();
  const models = new Dictionary();
  const { base, starts } = startsOf(spans);
  return {
    trace_id: traceId,
    total: steps.length,
    base_unix_us: String(base),
    columns: {
      span_id: steps.map(({ spanId }) => spanId),
      parent: steps.map(({ index, parent }) => (parent === null ? 0 : index - parent)),
      name: steps.map(({ name }) => names.placeOf(name)),
      // There are nine kinds, so a digit is enough.
      kind: steps.map(({ kind }) => kinds.placeOf(kind)).join(''),
      agent: steps.map(({ agent }) => agents.placeOf(agent)),
      model: steps.map(({ model }) => models.placeOf(model)),
      start_us: starts,
      duration_us: spans.map(durationUsOf),
      status: steps.map(({ status }) => STATUSES.indexOf(status)).join(''),
      tokens: steps.map(({ tokens }) => tokens.total ?? (tokens.input ?? 0) + (tokens.output ?? 0)),
      repeat: repeatsOf(steps),
    },
    names: names.values,
    kinds: kinds.values,
    agents: agents.values,
    models: models.values,
  };
}

const STATUSES: readonly Step['status'][] = ['unset', 'ok', 'error'];

function startsOf(spans: readonly Span[]): { base: bigint; starts: (number | null)[] } {
  const base = usOf(spans.find(({ startNs }) => startNs > 0n)?.startNs ?? 0n);
  let before = base;
  const starts = spans.map(({ startNs }) => {
    if (startNs <= 0n) return null;
    const start = usOf(startNs);
    const difference = Number(start - before);
    before = start;
    return difference;
  });
  return { base, starts };
}

function usOf(ns: bigint): bigint {
  return ns / 1_000n;
}

function durationUsOf({ startNs, endNs }: Span): number | null {
  return endNs === null || startNs <= 0n ? null : Number(usOf(endNs - startNs));
}

function repeatsOf(steps: readonly Step[]): number[] {
  const keys = steps.map(repeatKeyOf);
  const counts = new Map<string, number>();
  for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1);
  const numberOf = new Map<string, number>();
  return keys.map((key) => {
    if (counts.get(key) === 1) return 0;
    const known = numberOf.get(key) ?? numberOf.size + 1;
    numberOf.set(key, known);
    return known;
  });
}

function repeatKeyOf({ parent, kind, name, agent, tool }: Step): string {
  const shape = tool === null ? null : isJsonObject(tool.arguments) ? Object.keys(tool.arguments).sort() : [];
  return JSON.stringify([parent, kind, name, agent, tool?.name, shape]);
}

/** Texts in order of first use. */
class Dictionary {
  readonly values: string[] = [];
  readonly #places = new Map<string, number>();

  /** -1 for null */
  placeOf(text: string | null): number {
    if (text === null) return -1;
    const known = this.#places.get(text);
    if (known !== undefined) return known;
    const place = this.values.push(text) - 1;
    this.#places.set(text, place);
    return place;
  }
}
