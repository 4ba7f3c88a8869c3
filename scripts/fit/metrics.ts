import type { Judged } from '../../src/features/evaluation/classification.ts';
import { seededRandom } from './seeded-random.ts';

export {
  auroc,
  balancedAccuracy,
  type Confusion,
  confusionAt,
  f1,
  type Judged,
  precision,
  recall,
} from '../../src/features/evaluation/classification.ts';
export { wilsonInterval as wilson } from '../../src/features/evaluation/wilson-interval.ts';

/** Mean precision at each positive in falling order of score; ties share the precision at their end. */
export function averagePrecision(items: readonly Judged[]): number {
  const sorted = [...items].sort((a, b) => b.score - a.score);
  const positives = sorted.filter(({ label }) => label).length;
  let [sum, hits] = [0, 0];
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to += 1;
    const found = sorted.slice(from, to).filter(({ label }) => label).length;
    hits += found;
    sum += (found * hits) / to;
    from = to;
  }
  return sum / positives;
}

/** The lowest threshold that at most this share of the negatives reaches. */
export function thresholdAtFpr(negatives: readonly number[], rate: number): number {
  const sorted = [...negatives].sort((a, b) => b - a);
  const allowed = Math.floor(rate * sorted.length);
  if (allowed >= sorted.length) return Number.NEGATIVE_INFINITY;
  return nextAbove(sorted[allowed]!);
}

/** The threshold where the mean of several sets' false-positive rates is at most `rate`: each set has the same weight. */
export function thresholdAtMeanFpr(sets: readonly (readonly number[])[], rate: number): number {
  const weighted = sets.flatMap((scores) =>
    scores.map((score) => ({ score, weight: 1 / (scores.length * sets.length) })),
  );
  weighted.sort((a, b) => b.score - a.score);
  let passed = 0;
  for (const { score, weight } of weighted) {
    passed += weight;
    if (passed > rate + 1e-12) return nextAbove(score);
  }
  return Number.NEGATIVE_INFINITY;
}

export function recallAtFpr(positives: readonly number[], negatives: readonly number[], rate: number): number {
  const threshold = thresholdAtFpr(negatives, rate);
  return share(positives.filter((score) => score >= threshold).length, positives.length);
}

/** Expected calibration error over even bins of confidence: mean distance of confidence and hit rate, by bin size. */
export function expectedCalibrationError(items: readonly Judged[], bins = 10): number {
  const groups = Map.groupBy(items, ({ score }) => Math.min(bins - 1, Math.floor(score * bins)));
  let error = 0;
  for (const members of groups.values()) {
    const confidence = members.reduce((sum, { score }) => sum + score, 0);
    error += Math.abs(confidence - members.filter(({ label }) => label).length);
  }
  return error / items.length;
}

/**
 * 95 % interval of any figure by drawing whole groups with repetition (percentiles). Draws on which the figure is not a
 * number (only one class) are left out.
 */
export function groupBootstrap<Item>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  figure: (items: readonly Item[]) => number,
  { draws = 400, seed = 1 }: { draws?: number; seed?: number } = {},
): [low: number, high: number] {
  const groups = [...Map.groupBy(items, groupOf).entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, group]) => group);
  const random = seededRandom(seed);
  const figures: number[] = [];
  for (let draw = 0; draw < draws; draw += 1) {
    const drawn = groups.flatMap(() => groups[Math.floor(random() * groups.length)]!);
    const value = figure(drawn);
    if (Number.isFinite(value)) figures.push(value);
  }
  figures.sort((a, b) => a - b);
  const at = (share: number) => figures[Math.min(figures.length - 1, Math.floor(share * figures.length))] ?? Number.NaN;
  return [at(0.025), at(0.975)];
}

function nextAbove(value: number): number {
  return value === 0 ? Number.MIN_VALUE : value + Math.abs(value) * Number.EPSILON;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
