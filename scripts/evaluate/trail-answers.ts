import { type Detections, outOfFold, ruleDetectionsOf } from '../fit/trail/cross-validate.ts';
import { loadTrailItems } from '../fit/trail/trail-items.ts';
import type { Answers, HeldOut, Scores } from './out-of-fold.ts';

/** Held-out answers of the head, and the answers for an unknown framework, which come from the rules alone. */
export function trailAnswers(data: string): HeldOut<Answers['trail']> {
  return { outOfFold: named(outOfFold(data)), setLeftOut: named(ruleDetectionsOf(loadTrailItems(data))) };
}

function named(detections: Detections): Scores<Answers['trail']> {
  return new Map(
    [...detections].map(([id, pairs]) => [id, pairs.map(({ spanId, category }) => ({ span_id: spanId, category }))]),
  );
}
