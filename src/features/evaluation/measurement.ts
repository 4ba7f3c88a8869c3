import { f1, precision, recall } from './classification.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** The prediction for one item (a run, a text), compared with its label. */
export interface Claim {
  predicted: boolean;
  real: boolean;
}

/** A value between 0 and 1 with its 95 % interval. */
export interface Estimate {
  value: number;
  interval: [low: number, high: number];
}

/** Accuracy of a detector over labelled items. A figure whose denominator is empty is null, never 0. */
export interface Measurement {
  samples: number;
  positives: number;
  truePositives: number;
  falsePositives: number;
  falseNegatives: number;
  trueNegatives: number;
  precision: Estimate | null;
  recall: Estimate | null;
  f1: Estimate | null;
}

/**
 * Counts and shares with Wilson intervals. The interval of F1 is that of TP / (TP + FP + FN), which is a share and from
 * which F1 follows as 2s / (1 + s).
 */
export function measure(claims: readonly Claim[]): Measurement {
  const count = (predicted: boolean, real: boolean) =>
    claims.filter((claim) => claim.predicted === predicted && claim.real === real).length;
  const counts = {
    truePositives: count(true, true),
    falsePositives: count(true, false),
    falseNegatives: count(false, true),
    trueNegatives: count(false, false),
  };
  const { truePositives: hits, falsePositives, falseNegatives } = counts;
  const positives = hits + falseNegatives;
  const overlap = wilsonInterval(hits, hits + falsePositives + falseNegatives);
  return {
    samples: claims.length,
    positives,
    ...counts,
    precision: estimate(precision(counts), wilsonInterval(hits, hits + falsePositives), hits + falsePositives),
    recall: estimate(recall(counts), wilsonInterval(hits, positives), positives),
    f1: estimate(f1(counts), [f1OfOverlap(overlap[0]), f1OfOverlap(overlap[1])], positives),
  };
}

function estimate(value: number, [low, high]: [number, number], n: number): Estimate | null {
  return n === 0 ? null : { value: rounded(value), interval: [rounded(low), rounded(high)] };
}

function f1OfOverlap(share: number): number {
  return (2 * share) / (1 + share);
}

/** Four decimals, so that the same data give the same file. */
export function rounded(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}
