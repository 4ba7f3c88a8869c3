import { type BoostedTrees, boostedScore } from '../_models/boosted-trees.ts';
import { type ProbabilityCurve, probabilityOf } from '../_models/calibration-curve.ts';
import { type LinearModelFile, readLinearModel } from '../_models/linear-model.ts';
import { candidatesOf, type Heads, windowLogits } from './candidates.ts';
import { adjustForCount } from './false-alarm-scale.ts';
import type { FamilyHit } from './families.ts';
import { ReadingMemo } from './reading-memo.ts';
import type { Segment } from './segments.ts';

export type Channel = 'user' | 'data';

/** The text model as stored in `model.generated.json`: written by `scripts/fit/injection.ts`, never edited. */
export interface TextModelFile {
  skimmer: LinearModelFile;
  /** Pieces with a lower prefilter score are not scored in full. */
  skimFloor: number;
  wording: LinearModelFile;
  task: LinearModelFile;
  /** Second stage: does a piece differ from the rest of its document? */
  data: BoostedTrees;
  /** Curves from raw score to probability, by channel and for the rules, and from probability to the score of a detection. */
  curves: Readonly<Record<Channel | 'rules' | 'alarm', ProbabilityCurve>>;
}

export interface TextModel {
  heads: Heads;
  data: BoostedTrees;
  curves: TextModelFile['curves'];
}

/** The place of a text that looks most like an attack. */
export interface Place extends Segment {
  /** 0–1, comparable between the channels. */
  probability: number;
}

/** Log-odds of a text in which no piece passed the prefilter. */
export const NO_PIECE_LOGIT = -12;

export function readHeads({ skimmer, skimFloor, wording, task }: Omit<TextModelFile, 'data' | 'curves'>): Heads {
  const { bias, sparse, scale } = readLinearModel(skimmer);
  return {
    prefilter: { bias, weights: sparse, scale },
    skimFloor,
    wording: readLinearModel(wording),
    task: readLinearModel(task),
  };
}

export function readTextModel(file: TextModelFile): TextModel {
  return { heads: readHeads(file), data: file.data, curves: file.curves };
}

/**
 * The most suspicious place of a text according to the model. `hits` are the rule matches in it, `memo` caches results from
 * other texts of its run. Null if no piece passed the prefilter.
 */
export function highestScoringPlace(
  model: TextModel,
  text: string,
  channel: Channel,
  hits: readonly FamilyHit[],
  memo?: ReadingMemo,
): Place | null {
  const { place, logit } = rawPlace(model, text, channel, hits, memo);
  return place === null ? null : { ...place, probability: probabilityFrom(model.curves[channel], logit, text.length) };
}

/** Length of a typical text in characters. */
const USUAL_LENGTH = 1500;

/** A long text has more places that may look like an attack by chance. */
export function probabilityFrom(curve: ProbabilityCurve, logit: number, length: number): number {
  return adjustForCount(probabilityOf(curve, logit), length / USUAL_LENGTH);
}

/** The same before calibration, for fitting. */
export function rawPlace(
  model: Pick<TextModel, 'heads' | 'data'>,
  text: string,
  channel: Channel,
  hits: readonly FamilyHit[],
  memo: ReadingMemo = new ReadingMemo(),
): { place: Segment | null; logit: number } {
  let [place, best]: [Segment | null, number] = [null, NO_PIECE_LOGIT];
  const places =
    channel === 'user'
      ? windowLogits(model.heads, text, hits, memo)
      : candidatesOf(model.heads, text, hits, memo).map(({ start, end, features }) => ({
          start,
          end,
          logit: boostedScore(model.data, features),
        }));
  for (const { start, end, logit } of places) {
    if (logit <= best) continue;
    best = logit;
    place = { start, end };
  }
  return { place, logit: best };
}
