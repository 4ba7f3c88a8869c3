import { type LinearModel, linearLogit } from '../_models/linear-model.ts';
import type { FamilyHit } from './families.ts';
import { denseFeatures } from './head-features.ts';
import { ngramLogits } from './piece-ngrams.ts';
import type { Segment } from './segments.ts';

/** The models that read a piece word by word. */
export interface PieceModels {
  /** Is this an attack by its wording? */
  wording: LinearModel;
  /** Does this ask a model for something, as documents do not? */
  task: LinearModel;
}

/** What close reading makes of one piece by itself. */
export interface PieceScore {
  dense: Float64Array;
  /** Log-odds. */
  wording: number;
  task: number;
}

/** `hits` are the rules' hits in it. */
export function scorePiece(
  { wording, task }: PieceModels,
  piece: string,
  place: Segment,
  hits: readonly FamilyHit[],
): PieceScore {
  const dense = denseFeatures(piece, place, hits);
  const [byWording, byTask] = ngramLogits(piece, [wording, task]);
  return { dense, wording: linearLogit(wording, dense) + byWording!, task: linearLogit(task, dense) + byTask! };
}

/** Log-odds that a window of a user's words is an attack. */
export function windowLogit(
  { wording }: PieceModels,
  window: string,
  place: Segment,
  hits: readonly FamilyHit[],
): number {
  return linearLogit(wording, denseFeatures(window, place, hits)) + ngramLogits(window, [wording])[0]!;
}
