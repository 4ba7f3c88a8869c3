import type { Fault } from './fault.ts';
import { isCounter, isPermanentCounter, isResettable, mayDecrease } from './field-names.ts';
import type { SnapshotSeries } from './snapshot-series.ts';

/** Number of rises before a fall that make the field a counter. */
const MIN_RISES = 3;

/** Whole numbers that only rose and then fall: an update was lost, or an old state overwrote a new one. */
export function findCounterRegressions(series: SnapshotSeries): Fault[] {
  const paths = new Set(series.entries.flatMap((entry) => [...entry.fields.keys()]));
  return [...paths].flatMap((path) => regressionsOf(path, series));
}

function regressionsOf(path: string, series: SnapshotSeries): Fault[] {
  if (isResettable(path) || mayDecrease(path)) return [];
  const values: number[] = [];
  for (const pair of series.pairs) {
    const before = pair.from.fields.get(path);
    const after = pair.to.fields.get(path);
    if (!Number.isInteger(before) || !Number.isInteger(after)) {
      values.length = 0;
      continue;
    }
    values.push(before as number);
    if ((after as number) >= (before as number)) continue;
    const score = scoreFall(path, values, after as number);
    values.length = 0;
    if (score === 0) continue;
    const what = 'went down after it had only gone up';
    return [
      {
        subtype: 'counter_regression',
        path,
        before: before!,
        after: after!,
        from: pair.from,
        to: pair.to,
        score,
        what,
      },
    ];
  }
  return [];
}

function scoreFall(path: string, values: readonly number[], after: number): number {
  const rises = values
    .slice(1)
    .map((value, index) => value - values[index]!)
    .filter((rise) => rise > 0);
  if (rises.length < MIN_RISES) return 0;
  const isSteady = rises.every((rise) => rise === rises[0]);
  const isNamed = isCounter(path);
  if (!isNamed && !isSteady) return 0;
  const base = isNamed ? (isSteady ? 0.85 : 0.75) : 0.55;
  // An inner loop starts again from the first value.
  const isRestart = after === values[0] || after === 0 || after === 1;
  if (!isRestart) return base;
  return isPermanentCounter(path) ? base - 0.2 : base - 0.5;
}
