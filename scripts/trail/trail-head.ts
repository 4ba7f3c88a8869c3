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

/** Features of a span, then whether rules detected it, by category and in total. */
export const HEAD_FEATURES: readonly string[] = [
  ...TRAIL_FEATURES,
  ...HEAD_CATEGORIES.map((category) => `rule:${category}`),
  'rules',
];

/** The part of the head for one category. */
export interface CategoryHead extends Omit<BoostedTrees, 'features'> {
  category: string;
  /** Platt scaling of the raw score: probability = 1 / (1 + exp(-(slope · score + offset))). */
  slope: number;
  offset: number;
  /** How often a rule of this category was correct on the fitted traces. */
  rulePrecision: number;
}

/** Runs with and without tools or helpers fail in different ways. */
export type TrailKind = 'with helpers' | 'alone';

export const TRAIL_KINDS: readonly TrailKind[] = ['with helpers', 'alone'];

export function trailKind({ declared }: TrailRun): TrailKind {
  return declared.size > 0 ? 'with helpers' : 'alone';
}

export interface TrailHead {
  categories: readonly CategoryHead[];
  /** Kinds of runs on which the head is better than the rules on held-out runs; for other kinds the rules are used. */
  kinds: readonly TrailKind[];
  /** Threshold of worth for reports, set so that traces get about as many detections as annotations. */
  threshold: number;
}

/** A span that may have a detection, before scoring. */
export interface HeadRow {
  spanId: string;
  values: Float64Array;
  /** Categories of rule detections on the span. */
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

/** Worth of rules for categories too rare to measure: correct in half of the cases. */
const UNMEASURED_RULE = 0.5;

/** The maximum of the trees' probability and the rules' precision, for every span and category. */
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

/** How strongly the worth of a pair is reduced in a trace with many pairs: 0 not at all, 1 in full. */
const CROWD_PENALTY = 0.75;

/** Pairs with their worth: the probability, reduced if the trace is likely to contain many errors. */
export function worthOf(pairs: readonly ScoredPair[]): { pair: ScoredPair; worth: number }[] {
  const expected = pairs.reduce((sum, { probability }) => sum + probability, 0);
  const crowd = Math.max(1, expected) ** CROWD_PENALTY;
  return pairs.map((pair) => ({ pair, worth: pair.probability / crowd }));
}

/** Maximum detections of a trace. */
const MAX_DETECTIONS = 10;

/** Detections above the threshold, the most likely first. */
export function selectPairs(pairs: readonly ScoredPair[], threshold: number): ScoredPair[] {
  return worthOf(pairs)
    .filter(({ worth }) => worth >= threshold)
    .sort((a, b) => b.worth - a.worth)
    .slice(0, MAX_DETECTIONS)
    .map(({ pair }) => pair);
}

/** Detections of the head; null if the rules are better on runs of this kind. */
export function headDetections(run: TrailRun, rows: readonly HeadRow[], head: TrailHead): ScoredPair[] | null {
  if (!head.kinds.includes(trailKind(run))) return null;
  return selectPairs(scorePairs(rows, head.categories), head.threshold);
}
