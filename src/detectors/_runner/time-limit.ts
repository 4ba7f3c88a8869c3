/** Time limit of the detectors for one trace. */
export interface TimeLimit {
  /** Milliseconds of a monotonic clock. */
  now(): number;
  /** Limit for all detectors together. After it, no further detector starts. */
  traceMs: number;
  /** Limit for a single detector, which is then terminated. */
  detectorMs: number;
  /** Runs the function and terminates it after this many milliseconds. @returns whether it finished */
  within(ms: number, run: () => void): boolean;
}

export interface Overrun<Item> {
  item: Item;
  /** Run time before the detector was terminated; null if it was not started because the limit of the trace was used up. */
  ms: number | null;
}

/**
 * Runs the functions in order. They share one timer because creating one costs as much as a quick detector. A terminated
 * function is retried once with a timer of its own, so that it does not pay for its predecessors or for a suspended
 * machine. Partial results of a terminated function are discarded.
 * @returns the results, in order
 */
export function runAllInTime<Item, Result>(
  items: readonly Item[],
  run: (item: Item) => Result,
  limit: TimeLimit | undefined,
): { results: Result[]; overruns: Overrun<Item>[] } {
  if (limit === undefined) return { results: items.map(run), overruns: [] };
  const startedAt = limit.now();
  const isTimeUp = () => limit.now() - startedAt > limit.traceMs;
  const finished = new Map<number, Result>();
  const overruns: Overrun<Item>[] = [];
  let next = 0;
  const startNext = () => {
    finished.set(next, run(items[next]!));
    next += 1;
  };
  while (next < items.length && !isTimeUp()) {
    const isDone = limit.within(limit.detectorMs, () => {
      while (next < items.length && !isTimeUp()) startNext();
    });
    if (isDone || next === items.length) break;
    const at = next;
    const before = limit.now();
    if (limit.within(limit.detectorMs, startNext)) continue;
    finished.delete(at);
    overruns.push({ item: items[at]!, ms: limit.now() - before });
    next = at + 1;
  }
  const notStarted = items.slice(next).map((item) => ({ item, ms: null }));
  return { results: [...finished.values()], overruns: [...overruns, ...notStarted] };
}
