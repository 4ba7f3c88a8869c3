import { nsToMs, type Span } from '../../core/span.ts';

/** Spans of one trace in order of start time, parents before their children. The arrays are parallel. */
export interface SpanTree {
  spans: Span[];
  /** Index of the parent, always before the child; null for a root or if the parent is missing. */
  parents: (number | null)[];
  depths: number[];
}

/**
 * Orders spans in O(n log n) without recursion. Of duplicate spans the last one is used; a cycle of parents is broken where
 * it started; a child with a start before its parent comes directly after it; spans without a time keep the order of
 * arrival.
 */
export function buildSpanTree(sent: readonly Span[]): SpanTree {
  const spans = dedupeSpans(sent);
  const parents = linkParents(spans);
  const order = orderByStart(spans, parents);
  return placeInOrder(spans, parents, order);
}

export function startMsOf(span: Span): number | null {
  return span.startNs > 0n ? nsToMs(span.startNs) : null;
}

export function endMsOf(span: Span): number | null {
  return span.endNs !== null && span.endNs > 0n ? nsToMs(span.endNs) : null;
}

function dedupeSpans(sent: readonly Span[]): Span[] {
  const byId = new Map<string, Span>();
  for (const span of sent) byId.set(span.spanId, span);
  return byId.size === sent.length ? [...sent] : [...byId.values()];
}

function linkParents(spans: Span[]): Int32Array {
  const positions = new Map<string, number>();
  for (let i = 0; i < spans.length; i++) positions.set((spans[i] as Span).spanId, i);
  const parents = Int32Array.from(spans, ({ parentSpanId }) =>
    parentSpanId === null ? -1 : (positions.get(parentSpanId) ?? -1),
  );
  breakCycles(spans, parents);
  return parents;
}

/** Follows the parents of every span once; a path that reaches a span twice is a cycle. */
function breakCycles(spans: Span[], parents: Int32Array): void {
  const pathOf = new Int32Array(spans.length);
  for (let from = 0; from < spans.length; from++) {
    let at = from;
    while (at >= 0 && pathOf[at] === 0) {
      pathOf[at] = from + 1;
      at = parents[at] as number;
    }
    if (at >= 0 && pathOf[at] === from + 1) cutCycle(spans, parents, at);
  }
}

function cutCycle(spans: Span[], parents: Int32Array, member: number): void {
  let first = member;
  for (let at = parents[member] as number; at !== member; at = parents[at] as number) {
    if (compareSpans(spans[at] as Span, spans[first] as Span) < 0) first = at;
  }
  parents[first] = -1;
}

/** By start, then end, then name; never by id, so that renaming spans changes nothing. */
function compareSpans(a: Span, b: Span): number {
  if (a.startNs !== b.startNs && a.startNs > 0n && b.startNs > 0n) return a.startNs < b.startNs ? -1 : 1;
  if (a.startNs === b.startNs && a.endNs !== b.endNs && a.startNs > 0n) return compareEnds(a.endNs, b.endNs);
  return a.startNs === 0n || a.name === b.name ? 0 : a.name < b.name ? -1 : 1;
}

function compareEnds(a: bigint | null, b: bigint | null): number {
  if (a === null || b === null) return a === null ? 1 : -1;
  return a < b ? -1 : 1;
}

/**
 * Depth first with siblings in order, then sorted by start; the sort is stable, so parents stay before children. A span
 * without a time takes that of the previous span.
 */
function orderByStart(spans: Span[], parents: Int32Array): { order: number[]; depths: Int32Array } {
  const { children, roots } = groupChildren(spans, parents);
  const order: number[] = [];
  const depths = new Int32Array(spans.length);
  const starts = new Float64Array(spans.length);
  const stack = roots.reverse();
  let last = 0;
  while (stack.length > 0) {
    const at = stack.pop() as number;
    const parent = parents[at] as number;
    last = Math.max(startMsOf(spans[at] as Span) ?? last, parent < 0 ? 0 : (starts[parent] as number));
    starts[at] = last;
    depths[at] = parent < 0 ? 0 : (depths[parent] as number) + 1;
    order.push(at);
    const below = children[at];
    if (below) for (let i = below.length - 1; i >= 0; i--) stack.push(below[i] as number);
  }
  return { order: order.sort((a, b) => (starts[a] as number) - (starts[b] as number)), depths };
}

function groupChildren(spans: Span[], parents: Int32Array): { children: (number[] | undefined)[]; roots: number[] } {
  const children: (number[] | undefined)[] = new Array(spans.length);
  const roots: number[] = [];
  for (let at = 0; at < spans.length; at++) {
    const parent = parents[at] as number;
    const siblings = parent < 0 ? roots : (children[parent] ?? []);
    if (parent >= 0) children[parent] = siblings;
    siblings.push(at);
  }
  const starts = new Float64Array(spans.length);
  for (const siblings of children) if (siblings) sortSiblings(siblings, spans, starts);
  sortSiblings(roots, spans, starts);
  return { children, roots };
}

/** In place; `starts` is scratch space. */
function sortSiblings(siblings: number[], spans: Span[], starts: Float64Array): void {
  if (siblings.length < 2) return;
  let last = 0;
  for (const at of siblings) {
    last = startMsOf(spans[at] as Span) ?? last;
    starts[at] = last;
  }
  siblings.sort(
    (a, b) => (starts[a] as number) - (starts[b] as number) || compareSpans(spans[a] as Span, spans[b] as Span),
  );
}

function placeInOrder(
  spans: Span[],
  parents: Int32Array,
  { order, depths }: { order: number[]; depths: Int32Array },
): SpanTree {
  const places = new Int32Array(spans.length);
  for (let place = 0; place < order.length; place++) places[order[place] as number] = place;
  return {
    spans: order.map((at) => spans[at] as Span),
    parents: order.map((at) => ((parents[at] as number) < 0 ? null : (places[parents[at] as number] as number))),
    depths: order.map((at) => depths[at] as number),
  };
}
