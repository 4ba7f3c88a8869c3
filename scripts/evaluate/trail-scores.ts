import { isJsonObject } from '../../src/core/json.ts';
import type { Case } from './cases.ts';
import { type Figure, groupedFigure, type Section, type Topic } from './figure.ts';
import { basisOf, type FittedAnswers } from './out-of-fold.ts';

interface Pair {
  span: string;
  category: string;
}

/** One trace: annotated and predicted pairs, each without repeats. */
export interface TrailRow {
  group: string;
  gold: Pair[];
  named: Pair[];
}

const SUBSETS = [
  {
    key: 'gaia',
    name: 'GAIA',
    aims: { joint: 0.5, precision: 0.45, f1: 0.4 },
    byRules: { joint: 0.35, precision: 0.45 },
  },
  { key: 'swe', name: 'SWE Bench', aims: { joint: 0.25 }, byRules: { joint: 0.1 } },
] as const;

/** The official recalls of TRAIL (Deshpande et al. 2025), and the number of detections made for them, which they leave out. */
export function trailScores(cases: readonly Case[], answers: FittedAnswers): Section {
  const figures = SUBSETS.flatMap(({ key, name, aims, byRules }) => {
    const own = cases.filter(
      ({ set, meta, prediction }) => set === 'trail' && meta.subset === name && prediction.trail,
    );
    if (own.length === 0) return [];
    const ruled = own.flatMap((one) => {
      const trail = answers.setLeftOut.trail.get(one.id);
      return trail === undefined ? [] : [{ ...one, prediction: { ...one.prediction, trail: [...trail] } }];
    });
    return [
      ...trailFigures(own, basisOf(own, answers, 'trail'), `trail.${key}`, `trail ${name}`, aims),
      ...(ruled.length === 0
        ? []
        : trailFigures(ruled, 'as shipped', `trail.${key}.rules`, `trail ${name}, rules alone`, byRules)),
    ];
  });
  return {
    title: 'TRAIL: spans and categories of errors',
    about:
      'Official definitions, averaged over traces. Joint and location are recalls: read them together with the detections per trace (aim: at most 6) and the precision of pairs. On runs with the structure of the fitted runs, a model fitted on TRAIL answers (supervised); on others the rules alone, which were written with these traces.',
    figures,
  };
}

function trailFigures(
  cases: readonly Case[],
  basis: Topic['basis'],
  key: string,
  set: string,
  aims: { joint?: number; precision?: number; f1?: number },
): Figure[] {
  const rows = cases.map(rowOf);
  const figure = (
    id: string,
    label: string,
    better: Topic['better'],
    measure: (rows: readonly TrailRow[]) => number,
    aim?: number,
  ) => groupedFigure({ id: `${key}.${id}`, label, set, basis, better, aim }, rows, ({ group }) => group, measure);
  return [
    figure('joint', 'joint accuracy', 'higher', jointAccuracy, aims.joint),
    figure('location', 'location accuracy', 'higher', locationAccuracy),
    figure('category_f1', 'category F1, weighted', 'higher', categoryF1),
    figure(
      'per_trace',
      'detections a trace',
      'lower',
      (some) => sum(some, ({ named }) => named.length) / some.length,
      6,
    ),
    figure('pair_precision', 'pair precision', 'higher', pairPrecision, aims.precision),
    figure('pair_f1', 'pair micro-F1', 'higher', pairF1, aims.f1),
  ];
}

/** Share of annotated (span, category) pairs that were predicted, averaged over traces with annotations. */
export function jointAccuracy(rows: readonly TrailRow[]): number {
  return meanRecall(rows, keyOf);
}

/** The same for annotated spans, regardless of the category. */
export function locationAccuracy(rows: readonly TrailRow[]): number {
  return meanRecall(rows, ({ span }) => span);
}

/** F1 of each category over traces, weighted by the number of traces annotated with it. */
export function categoryF1(rows: readonly TrailRow[]): number {
  const categories = new Set(rows.flatMap(({ gold }) => gold.map(({ category }) => category)));
  let [total, weight] = [0, 0];
  for (const category of categories) {
    const has = (pairs: readonly Pair[]) => pairs.some((pair) => pair.category === category);
    const gold = rows.filter((row) => has(row.gold));
    const hits = gold.filter((row) => has(row.named)).length;
    total += (gold.length * 2 * hits) / (gold.length + rows.filter((row) => has(row.named)).length);
    weight += gold.length;
  }
  return total / weight;
}

export function pairPrecision(rows: readonly TrailRow[]): number {
  return hits(rows) / sum(rows, ({ named }) => named.length);
}

export function pairF1(rows: readonly TrailRow[]): number {
  return (2 * hits(rows)) / sum(rows, ({ named, gold }) => named.length + gold.length);
}

function hits(rows: readonly TrailRow[]): number {
  return sum(rows, ({ gold, named }) => {
    const keys = new Set(named.map(keyOf));
    return gold.filter((pair) => keys.has(keyOf(pair))).length;
  });
}

function meanRecall(rows: readonly TrailRow[], keyOf: (pair: Pair) => string): number {
  const recalls = rows.flatMap(({ gold, named }) => {
    const expected = new Set(gold.map(keyOf));
    const found = new Set(named.map(keyOf));
    return expected.size === 0 ? [] : [[...expected].filter((key) => found.has(key)).length / expected.size];
  });
  return recalls.reduce((total, recall) => total + recall, 0) / recalls.length;
}

function rowOf({ group, labels, prediction }: Case): TrailRow {
  const errors = (Array.isArray(labels.errors) ? labels.errors : []).filter(isJsonObject);
  const gold = errors.map(({ span_id, category }) => ({ span: String(span_id), category: String(category) }));
  const named = (prediction.trail ?? []).map(({ span_id, category }) => ({ span: span_id, category }));
  return { group, gold: distinct(gold), named: distinct(named) };
}

function distinct(pairs: readonly Pair[]): Pair[] {
  return [...new Map(pairs.map((pair) => [keyOf(pair), pair])).values()];
}

function keyOf({ span, category }: Pair): string {
  return `${span} ${category}`;
}

function sum<Item>(items: readonly Item[], measure: (item: Item) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}
