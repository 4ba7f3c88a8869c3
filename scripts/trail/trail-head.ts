import { type BoostedTrees, boostedScore } from '../../src/detectors/_models/boosted-trees.ts';
import { TRAIL_FEATURES } from './trail-feature-names.ts';
import { trailCandidates } from './trail-features.ts';
import { ruleDetections } from './trail-rules.ts';
import type { TrailRun } from './trail-run.ts';

/** Categories with at least five annotated spans to learn from. */
export const HEAD_CATEGORIES = [
  'Formatting Errors',
  'Goal Deviation',
  'Instruction Non-compliance',
  'Task Orchestration',
  'Tool Selection Errors',
  'Language-only',
  'Tool-related',
  'Resource Abuse',
  'Context Handling Failures',
  'Incorrect Problem Identification',
  'Poor Information Retrieval',
  'Tool Output Misinterpretation',
] as const;

/** A span's numbers, then whether rules named it, by category and in all. */
export const HEAD_FEATURES: readonly string[] = [
  ...TRAIL_FEATURES,
  ...HEAD_CATEGORIES.map((category) => `rule:${category}`),
  'rules',
];

/** One category's share of the head. */
export interface CategoryHead extends Omit<BoostedTrees, 'features'> {
  category: string;
  /** Platt scaling of the raw score: probability = 1 / (1 + exp(-(slope · score + offset))). */
  slope: number;
  offset: number;
  /** How often a rule of this category was right where the head was fitted. */
  rulePrecision: number;
}

/** Runs with and without tools or helpers fail in different ways. */
export type TrailKind = 'with helpers' | 'alone';

export const TRAIL_KINDS: readonly TrailKind[] = ['with helpers', 'alone'];

export function trailKind({ promised }: TrailRun): TrailKind {
  return promised.size > 0 ? 'with helpers' : 'alone';
}

export interface TrailHead {
  categories: readonly CategoryHead[];
  /** Kinds of runs in which the head did better than the rules on runs it was not fitted on; elsewhere the rules answer. */
  kinds: readonly TrailKind[];
  /** Worth below which nothing is reported, set so that traces get about as many detections as annotators give. */
  threshold: number;
}

/** A span that may carry a detection, before it is judged. */
export interface HeadRow {
  spanId: string;
  values: Float64Array;
  /** Categories rules gave to the span. */
  ruled: ReadonlySet<string>;
}

export interface ScoredPair {
  spanId: string;
  category: string;
  probability: number;
}

export function headRows(run: TrailRun): HeadRow[] {
  const ruled = new Map<string, Set<string>>();
  for (const { spanId, category } of ruleDetections(run, Number.POSITIVE_INFINITY)) {
    const own = ruled.get(spanId) ?? new Set<string>();
    ruled.set(spanId, own.add(category));
  }
  return trailCandidates(run).map(({ step, values }) => {
    const own = ruled.get(step.spanId) ?? new Set<string>();
    const flags = HEAD_CATEGORIES.map((category) => (own.has(category) ? 1 : 0));
    return { spanId: step.spanId, values: Float64Array.from([...values, ...flags, own.size]), ruled: own };
  });
}

/** Worth of rules for categories too rare to measure; a rule that is right as often as not. */
const UNMEASURED_RULE = 0.5;

/** The likelier of what the trees say and what the rules are worth, for every span and category. */
export function scorePairs(rows: readonly HeadRow[], categories: readonly CategoryHead[]): ScoredPair[] {
  const fitted = new Set<string>(HEAD_CATEGORIES);
  const byRuleOnly = rows.flatMap(({ spanId, ruled }) =>
    [...ruled]
      .filter((category) => !fitted.has(category))
      .map((category) => ({ spanId, category, probability: UNMEASURED_RULE })),
  );
  return [...byRuleOnly, ...categories.flatMap((head) => scoresOf(rows, head))];
}

function scoresOf(rows: readonly HeadRow[], head: CategoryHead): ScoredPair[] {
  const trees = { features: HEAD_FEATURES, base: head.base, trees: head.trees };
  return rows.map(({ spanId, values, ruled }) => {
    const learned = 1 / (1 + Math.exp(-(head.slope * boostedScore(trees, values) + head.offset)));
    const probability = ruled.has(head.category) ? Math.max(learned, head.rulePrecision) : learned;
    return { spanId, category: head.category, probability };
  });
}

/** How much a pair is worth less in a trace that has many: 0 not at all, 1 in full. */
const CROWDING = 0.75;

/** Pairs with their worth: probability, lowered where the trace is likely to hold many errors. */
export function worthOf(pairs: readonly ScoredPair[]): { pair: ScoredPair; worth: number }[] {
  const expected = pairs.reduce((sum, { probability }) => sum + probability, 0);
  const crowd = Math.max(1, expected) ** CROWDING;
  return pairs.map((pair) => ({ pair, worth: pair.probability / crowd }));
}

/** A trace gets no more detections than this, however many are likely. */
const MOST_DETECTIONS = 10;

/** Detections above the threshold, the likeliest first. */
export function selectPairs(pairs: readonly ScoredPair[], threshold: number): ScoredPair[] {
  return worthOf(pairs)
    .filter(({ worth }) => worth >= threshold)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MOST_DETECTIONS)
    .map(({ pair }) => pair);
}

/** What the head finds; null if the rules do better on runs of this kind. */
export function headDetections(run: TrailRun, rows: readonly HeadRow[], head: TrailHead): ScoredPair[] | null {
  if (!head.kinds.includes(trailKind(run))) return null;
  return selectPairs(scorePairs(rows, head.categories), head.threshold);
}
