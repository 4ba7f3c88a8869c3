/** A periodic part of a sequence: `keys[from … to]` repeats the same `period` members `rounds` times. */
export interface PeriodicRun {
  from: number;
  /** Last position, inclusive. */
  to: number;
  period: number;
  rounds: number;
}

/**
 * Parts that repeat a pattern of `minPeriod` to `maxPeriod` members at least `minRounds` times; shorter periods take
 * precedence. Linear in `keys.length × maxPeriod`.
 */
export function findPeriodicRuns(
  keys: readonly string[],
  maxPeriod: number,
  minRounds: number,
  minPeriod = 2,
): PeriodicRun[] {
  const found: PeriodicRun[] = [];
  for (let period = minPeriod; period <= maxPeriod; period += 1) {
    let matched = 0;
    for (let at = period; at <= keys.length; at += 1) {
      if (at < keys.length && keys[at] === keys[at - period]) {
        matched += 1;
        continue;
      }
      const run = { from: at - matched - period, to: at - 1, period, rounds: Math.floor(matched / period) + 1 };
      if (
        run.rounds >= minRounds &&
        (period === 1 || !isUniform(keys, run)) &&
        !found.some((other) => overlaps(other, run))
      )
        found.push(run);
      matched = 0;
    }
  }
  return found;
}

function isUniform(keys: readonly string[], { from, period }: PeriodicRun): boolean {
  return keys.slice(from, from + period).every((key) => key === keys[from]);
}

function overlaps(a: PeriodicRun, b: PeriodicRun): boolean {
  return a.from <= b.to && b.from <= a.to;
}
