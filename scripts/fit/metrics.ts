import { seededRandom } from './seeded-random.ts';

export interface Judged {
  score: number;
  label: boolean;
}

/** Chance that a positive scores above a negative, ties counting half; NaN where one side is empty. */
export function auroc(items: readonly Judged[]): number {
  const sorted = [...items].sort((a, b) => a.score - b.score);
  const positives = sorted.filter(({ label }) => label).length;
  const negatives = sorted.length - positives;
  let rankSum = 0;
  for (let from = 0; from < sorted.length; ) {
    let to = from;
    while (to < sorted.length && sorted[to]!.score === sorted[from]!.score) to += 1;
    const meanRank = (from + 1 + to) / 2;
    for (let index = from; index < to; index += 1) if (sorted[index]!.label) rankSum += meanRank;
    from = to;
  }
  return (rankSum - (positives * (positives + 1)) / 2) / (positives * negatives);
}

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

export interface Confusion {
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
}

/** Counts where a score at or above the threshold says yes. */
export function confusionAt(items: readonly Judged[], threshold: number): Confusion {
  const counts = { truePositives: 0, falsePositives: 0, falseNegatives: 0, trueNegatives: 0 };
  for (const { score, label } of items) {
    if (score >= threshold) counts[label ? 'truePositives' : 'falsePositives'] += 1;
    else counts[label ? 'falseNegatives' : 'trueNegatives'] += 1;
  }
  return counts;
}

export function precision({ truePositives, falsePositives }: Confusion): number {
  return share(truePositives, truePositives + falsePositives);
}

export function recall({ truePositives, falseNegatives }: Confusion): number {
  return share(truePositives, truePositives + falseNegatives);
}

/** Harmonic mean of precision and recall; 0 where nothing was found and nothing was there. */
export function f1({ truePositives, falsePositives, falseNegatives }: Omit<Confusion, 'trueNegatives'>): number {
  return share(2 * truePositives, 2 * truePositives + falsePositives + falseNegatives);
}

export function balancedAccuracy({ truePositives, falsePositives, falseNegatives, trueNegatives }: Confusion): number {
  return (
    (share(truePositives, truePositives + falseNegatives) + share(trueNegatives, trueNegatives + falsePositives)) / 2
  );
}

/** The lowest threshold at which at most this share of the negatives says yes. */
export function thresholdAtFpr(negatives: readonly number[], rate: number): number {
  const sorted = [...negatives].sort((a, b) => b - a);
  const allowed = Math.floor(rate * sorted.length);
  if (allowed >= sorted.length) return Number.NEGATIVE_INFINITY;
  return nextAbove(sorted[allowed]!);
}

/** The threshold where the mean of several sets' false-positive rates is at most `rate`: each set weighs the same. */
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
 * 95 % interval of any figure by drawing whole groups with repetition (percentiles). Draws on which the figure is no
 * number (one class only) are left out.
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

export { wilsonInterval as wilson } from '../evaluate/wilson.ts';

function nextAbove(value: number): number {
  return value === 0 ? Number.MIN_VALUE : value + Math.abs(value) * Number.EPSILON;
}

function share(part: number, whole: number): number {
  return whole === 0 ? 0 : part / whole;
}
