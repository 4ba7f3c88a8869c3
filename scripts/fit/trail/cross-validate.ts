import { headDetections, TRAIL_KINDS, type TrailHead } from '../../trail/trail-head.ts';
import { ruleDetections } from '../../trail/trail-rules.ts';
import { groupedFolds } from '../grouped-folds.ts';
import { fitHead } from './fit-head.ts';
import { loadTrailItems, type TrailItem, type TrailPair } from './trail-items.ts';

export type Detections = Map<string, TrailPair[]>;

/** Detections for every annotated trace by a head fitted without its group. */
export function crossValidated(items: readonly TrailItem[], seed: number, folds = 5): Detections {
  const found: Detections = new Map();
  for (const { train, test } of groupedFolds(items, ({ group }) => group, folds, seed)) {
    const head = fitHead(train, seed);
    for (const item of test) found.set(item.id, bare(detectionsOf(item, head)));
  }
  return found;
}

/** As the program does: the head if it is better, otherwise the rules. */
function detectionsOf({ run, rows }: TrailItem, head: TrailHead): readonly TrailPair[] {
  return headDetections(run, rows, head) ?? ruleDetections(run);
}

/** Detections by rules alone, as for an unknown framework. */
export function ruleDetectionsOf(items: readonly TrailItem[]): Detections {
  return new Map(items.map((item) => [item.id, bare(ruleDetections(item.run))]));
}

/** Detections on one subset by a head fitted on the other: the case that `isSmolagentsRun` excludes. */
export function transferDetections(items: readonly TrailItem[], to: TrailItem['subset'], seed: number): Detections {
  const head = fitHead(
    items.filter(({ subset }) => subset !== to),
    seed,
  );
  const tested = items.filter(({ subset }) => subset === to);
  return new Map(tested.map((item) => [item.id, bare(detectionsOf(item, { ...head, kinds: TRAIL_KINDS }))]));
}

/** Held-out answers for the evaluation, by record id: each trace is scored by a fold without it. */
export function outOfFold(data?: string, seed = 0): Detections {
  return crossValidated(loadTrailItems(data), seed);
}

function bare(pairs: readonly TrailPair[]): TrailPair[] {
  return pairs.map(({ spanId, category }) => ({ spanId, category }));
}
