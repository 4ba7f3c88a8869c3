/** How long the detectors may take over one trace. */
export interface TimeLimit {
  /** Milliseconds of any steadily growing clock. */
  now(): number;
  /** Of all together: once they are up, no further detector starts. */
  traceMs: number;
  /** Of a single one, which is then cut off. */
  detectorMs: number;
  /** Runs it, or ends it after so many milliseconds wherever it is. @returns whether it came to its end */
  within(ms: number, run: () => void): boolean;
}

export interface Overrun<Item> {
  item: Item;
  /** How long it ran before it was cut off; null if it was not started, since the time of all was up. */
  ms: number | null;
}

/**
 * Asks each in turn. One watch stands over all, since to set one up costs as much as a quick detector; whom it ends has a
 * second try with a whole watch to itself, so that no one pays for the one before or for a machine that was asleep. Nothing
 * is kept of one that is cut off.
 *
 * @returns the answers, in order
 */
export function runAllInTime<Item, Answer>(
  items: readonly Item[],
  ask: (item: Item) => Answer,
  limit: TimeLimit | undefined,
): { answers: Answer[]; overruns: Overrun<Item>[] } {
  if (limit === undefined) return { answers: items.map(ask), overruns: [] };
  const startedAt = limit.now();
  const isTimeUp = () => limit.now() - startedAt > limit.traceMs;
  const answered = new Map<number, Answer>();
  const overruns: Overrun<Item>[] = [];
  let next = 0;
  const askNext = () => {
    answered.set(next, ask(items[next]!));
    next += 1;
  };
  while (next < items.length && !isTimeUp()) {
    const isDone = limit.within(limit.detectorMs, () => {
      while (next < items.length && !isTimeUp()) askNext();
    });
    if (isDone || next === items.length) break;
    const at = next;
    const before = limit.now();
    if (limit.within(limit.detectorMs, askNext)) continue;
    answered.delete(at);
    overruns.push({ item: items[at]!, ms: limit.now() - before });
    next = at + 1;
  }
  const unasked = items.slice(next).map((item) => ({ item, ms: null }));
  return { answers: [...answered.values()], overruns: [...overruns, ...unasked] };
}
