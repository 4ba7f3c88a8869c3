import type { TraceOutline } from '../../client/misstep-client.generated.ts';

export const STATUS_ERROR = 2;

/**
 * The steps of a trace as columns: entry i of each column belongs to step i. A parent has a lower index than its children.
 * Times are microseconds after the earliest time in the trace; NaN if the sender gave none.
 */
export interface TraceColumns {
  total: number;
  spanIds: readonly string[];
  /** -1 for a step without a parent. */
  parent: Int32Array;
  /** -1 for a step without children. Children and roots are linked in the order of steps. */
  firstChild: Int32Array;
  nextSibling: Int32Array;
  firstRoot: number;
  /** 0 for a root. */
  depth: Int32Array;
  kind: Uint8Array;
  name: Int32Array;
  agent: Int32Array;
  model: Int32Array;
  /** 0 unset, 1 ok, 2 error. */
  status: Uint8Array;
  tokens: Float64Array;
  repeat: Int32Array;
  start: Float64Array;
  end: Float64Array;
  /** Microseconds since 1970 of time 0; null for a trace without times. */
  baseUnixUs: number | null;
  /** Latest time in the trace; 0 for a trace without times. */
  lastTime: number;
  texts: StepTexts;
}

export interface StepTexts {
  names: readonly string[];
  kinds: readonly string[];
  agents: readonly string[];
  models: readonly string[];
}

/** Never throws: missing values of a short column are unknown, and a step with an invalid parent becomes a root. */
export function toColumns(outline: TraceOutline): TraceColumns {
  const { columns, total } = outline;
  const parent = parentsOf(columns.parent, total);
  const { start, end, earliest, latest } = timesOf(columns, total);
  return {
    total,
    spanIds: columns.span_id,
    parent,
    ...linksOf(parent),
    depth: depthsOf(parent),
    kind: digitsOf(columns.kind, total),
    name: fill(new Int32Array(total), columns.name, -1),
    agent: fill(new Int32Array(total), columns.agent, -1),
    model: fill(new Int32Array(total), columns.model, -1),
    status: digitsOf(columns.status, total),
    tokens: fill(new Float64Array(total), columns.tokens, 0),
    repeat: fill(new Int32Array(total), columns.repeat, 0),
    start,
    end,
    baseUnixUs: Number.isNaN(latest) ? null : Number(outline.base_unix_us) + earliest,
    lastTime: Number.isNaN(latest) ? 0 : latest - earliest,
    texts: { names: outline.names, kinds: outline.kinds, agents: outline.agents, models: outline.models },
  };
}

function parentsOf(distances: readonly number[], total: number): Int32Array {
  const parent = new Int32Array(total).fill(-1);
  for (let step = 0; step < total; step++) {
    const distance = distances[step] ?? 0;
    if (distance > 0 && distance <= step) parent[step] = step - distance;
  }
  return parent;
}

function linksOf(parent: Int32Array): Pick<TraceColumns, 'firstChild' | 'nextSibling' | 'firstRoot'> {
  const firstChild = new Int32Array(parent.length).fill(-1);
  const nextSibling = new Int32Array(parent.length).fill(-1);
  let firstRoot = -1;
  for (let step = parent.length - 1; step >= 0; step--) {
    const parentStep = parent[step]!;
    nextSibling[step] = parentStep < 0 ? firstRoot : firstChild[parentStep]!;
    if (parentStep < 0) firstRoot = step;
    else firstChild[parentStep] = step;
  }
  return { firstChild, nextSibling, firstRoot };
}

function depthsOf(parent: Int32Array): Int32Array {
  const depth = new Int32Array(parent.length);
  for (let step = 0; step < parent.length; step++) {
    const parentStep = parent[step]!;
    if (parentStep >= 0) depth[step] = depth[parentStep]! + 1;
  }
  return depth;
}

function timesOf(
  columns: TraceOutline['columns'],
  total: number,
): { start: Float64Array; end: Float64Array; earliest: number; latest: number } {
  const start = new Float64Array(total).fill(Number.NaN);
  const end = new Float64Array(total).fill(Number.NaN);
  let [time, earliest, latest] = [0, Number.NaN, Number.NaN];
  for (let step = 0; step < total; step++) {
    const difference = columns.start_us[step] ?? null;
    if (difference === null) continue;
    time += difference;
    start[step] = time;
    const duration = columns.duration_us[step] ?? null;
    // An end before the start comes from a clock that was set back: the step gets the duration 0.
    if (duration !== null) end[step] = time + Math.max(0, duration);
    earliest = Number.isNaN(earliest) ? time : Math.min(earliest, time);
    const stepEnd = duration === null ? time : end[step]!;
    latest = Number.isNaN(latest) ? stepEnd : Math.max(latest, stepEnd);
  }
  if (earliest !== 0 && !Number.isNaN(earliest)) shift(start, end, earliest);
  return { start, end, earliest, latest };
}

function shift(start: Float64Array, end: Float64Array, offset: number): void {
  for (let step = 0; step < start.length; step++) {
    start[step]! -= offset;
    end[step]! -= offset;
  }
}

/** @param missing the value for missing numbers */
function fill<Column extends Int32Array | Float64Array>(
  target: Column,
  column: readonly (number | null)[],
  missing: number,
): Column {
  // A loop, because `from` with a callback is several times slower.
  for (let step = 0; step < target.length; step++) target[step] = column[step] ?? missing;
  return target;
}

const ZERO = '0'.charCodeAt(0);

function digitsOf(text: string, total: number): Uint8Array {
  const digits = new Uint8Array(total);
  for (let step = 0; step < Math.min(total, text.length); step++) digits[step] = text.charCodeAt(step) - ZERO;
  return digits;
}

/** Linear time, so callers cache the result. Of two steps with the same id, the first is kept. */
export function stepsBySpan({ spanIds }: TraceColumns): ReadonlyMap<string, number> {
  const steps = new Map<string, number>();
  for (let step = spanIds.length - 1; step >= 0; step--) steps.set(spanIds[step]!, step);
  return steps;
}

export function nameOf(columns: TraceColumns, step: number): string {
  return columns.texts.names[columns.name[step]!] ?? '';
}

export function kindOf(columns: TraceColumns, step: number): string {
  return columns.texts.kinds[columns.kind[step]!] ?? 'other';
}

/** Null if the sender named none. */
export function agentOf(columns: TraceColumns, step: number): string | null {
  return columns.texts.agents[columns.agent[step]!] ?? null;
}

/** Null if the sender named none. */
export function modelOf(columns: TraceColumns, step: number): string | null {
  return columns.texts.models[columns.model[step]!] ?? null;
}

/** From the root down to the parent. */
export function ancestorsOf({ parent }: TraceColumns, step: number): number[] {
  const ancestors: number[] = [];
  for (let ancestor = parent[step] ?? -1; ancestor >= 0; ancestor = parent[ancestor]!) ancestors.push(ancestor);
  return ancestors.reverse();
}
