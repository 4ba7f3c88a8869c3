import { pairKey, type TrailItem, type TrailPair } from './trail-items.ts';

export interface TrailScore {
  traces: number;
  joint: number;
  jointInterval: [number, number];
  location: number;
  categoryF1: number;
  perTrace: number;
  most: number;
  pairPrecision: number;
  pairRecall: number;
  pairF1: number;
  locationPrecision: number;
}

interface Row {
  id: string;
  joint: number | null;
  location: number | null;
  hits: number;
  predicted: number;
  gold: number;
  spanHits: number;
  spans: number;
  goldCategories: Set<string>;
  categories: Set<string>;
}

/**
 * The official definitions of TRAIL (Deshpande et al. 2025): joint and location are shares of the annotated pairs and spans
 * that were predicted, averaged over traces with annotations; category F1 is weighted over the categories of whole traces.
 * Detections per trace, precision and micro-F1 are reported as a check.
 */
export function scoreTrail(
  items: readonly TrailItem[],
  detections: ReadonlyMap<string, readonly TrailPair[]>,
  random: () => number,
): TrailScore {
  const rows = items.map((item) => rowOf(item, detections.get(item.id) ?? []));
  const sum = (of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0);
  const [hits, predicted, gold] = [sum((row) => row.hits), sum((row) => row.predicted), sum((row) => row.gold)];
  const joints = rows.map(({ joint }) => joint).filter((joint) => joint !== null);
  return {
    traces: rows.length,
    joint: mean(joints),
    jointInterval: bootstrap(joints, random),
    location: mean(rows.map(({ location }) => location).filter((location) => location !== null)),
    categoryF1: weightedF1(rows),
    perTrace: predicted / rows.length,
    most: Math.max(...rows.map((row) => row.predicted)),
    pairPrecision: hits / Math.max(1, predicted),
    pairRecall: hits / Math.max(1, gold),
    pairF1: (2 * hits) / Math.max(1, predicted + gold),
    locationPrecision:
      sum((row) => row.spanHits) /
      Math.max(
        1,
        sum((row) => row.spans),
      ),
  };
}

function rowOf({ id, gold }: TrailItem, detections: readonly TrailPair[]): Row {
  const goldKeys = new Set(gold.map(pairKey));
  const goldSpans = new Set(gold.map(({ spanId }) => spanId));
  const keys = new Set(detections.map(pairKey));
  const spans = new Set(detections.map(({ spanId }) => spanId));
  const hits = [...goldKeys].filter((key) => keys.has(key)).length;
  const spanHits = [...goldSpans].filter((span) => spans.has(span)).length;
  return {
    id,
    joint: goldKeys.size === 0 ? null : hits / goldKeys.size,
    location: goldSpans.size === 0 ? null : spanHits / goldSpans.size,
    hits,
    predicted: keys.size,
    gold: goldKeys.size,
    spanHits,
    spans: spans.size,
    goldCategories: new Set(gold.map(({ category }) => category)),
    categories: new Set(detections.map(({ category }) => category)),
  };
}

function weightedF1(rows: readonly Row[]): number {
  const categories = new Set(rows.flatMap(({ goldCategories }) => [...goldCategories]));
  let [total, weight] = [0, 0];
  for (const category of categories) {
    const actual = rows.filter(({ goldCategories }) => goldCategories.has(category));
    const named = rows.filter((row) => row.categories.has(category));
    const hits = actual.filter((row) => row.categories.has(category)).length;
    total += (actual.length * 2 * hits) / (actual.length + named.length);
    weight += actual.length;
  }
  return weight === 0 ? 0 : total / weight;
}

function bootstrap(values: readonly number[], random: () => number, rounds = 1000): [number, number] {
  const means = Array.from({ length: rounds }, () =>
    mean(values.map(() => values[Math.floor(random() * values.length)]!)),
  ).sort((a, b) => a - b);
  return [means[Math.floor(rounds * 0.025)]!, means[Math.floor(rounds * 0.975)]!];
}

function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}
