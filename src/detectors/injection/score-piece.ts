import { type LinearModel, linearLogit } from '../_models/linear-model.ts';
import type { FamilyHit } from './families.ts';
import { denseFeatures } from './head-features.ts';
import { ngramLogits } from './piece-ngrams.ts';
import type { Segment } from './segments.ts';

/** The models that score a piece in full. */
export interface PieceModels {
  /** Is this an attack, by its wording? */
  wording: LinearModel;
  /** Does this request something from a model, in contrast to ordinary documents? */
  task: LinearModel;
}

/** Full score of one piece, without comparison with the rest of the text. */
export interface PieceScore {
  dense: Float64Array;
  /** Log-odds. */
  wording: number;
  task: number;
}

/** @param hits the rule matches in the piece */
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

/** Log-odds that a window of a user message is an attack. */
export function windowLogit(
  { wording }: PieceModels,
  window: string,
  place: Segment,
  hits: readonly FamilyHit[],
): number {
  return linearLogit(wording, denseFeatures(window, place, hits)) + ngramLogits(window, [wording])[0]!;
}
