import { thousandths } from './alarm-count.ts';
import type { ValidatedDetection } from './traffic.ts';

/** What validated detections of one kind show. */
export interface LabelVerdict {
  valid: number;
  invalid: number;
  /** Mostly right: it may fire earlier. */
  isTrusted: boolean;
  /** Confidence below which it was mostly wrong; null if unknown. */
  doubtfulBelow: number | null;
}

/** Required posterior probability, starting from a uniform prior. */
const TRUSTED_PROBABILITY = 0.8;

/**
 * Share of real ones as Beta(1 + valid, 1 + invalid): doubtful if less than half are real with probability 0.8 or
 * more (2 of 2 false, 3 of 4), trusted in the opposite case. The cut of a doubtful kind is just above the false detections
 * that make it so.
 */
export function labelVerdict(labels: readonly ValidatedDetection[]): LabelVerdict {
  const valid = labels.filter(({ isValid }) => isValid).length;
  const invalid = labels.length - valid;
  return {
    valid,
    invalid,
    isTrusted: chanceOfLessThanHalf(invalid, valid) >= TRUSTED_PROBABILITY,
    doubtfulBelow: isDoubtful(labels) ? cutAbove(labels) : null,
  };
}

function isDoubtful(labels: readonly ValidatedDetection[]): boolean {
  const valid = labels.filter(({ isValid }) => isValid).length;
  return chanceOfLessThanHalf(valid, labels.length - valid) >= TRUSTED_PROBABILITY;
}

/** The lowest cut just above a false detection from which most are real, or none is left. */
function cutAbove(labels: readonly ValidatedDetection[]): number {
  const cuts = labels.filter(({ isValid }) => !isValid).map(({ confidence }) => thousandths(confidence + 0.001));
  const rising = [...new Set(cuts)].sort((one, other) => one - other);
  const enough = rising.find((cut) => isMostlyReal(labels.filter(({ confidence }) => confidence >= cut)));
  return enough ?? rising.at(-1)!;
}

function isMostlyReal(labels: readonly ValidatedDetection[]): boolean {
  return labels.length === 0 || labels.filter(({ isValid }) => isValid).length * 2 > labels.length;
}

/**
 * P(share < 1/2) of Beta(1 + hits, 1 + misses): for integers it is the probability of at least 1 + hits heads in
 * 1 + hits + misses tosses of a fair coin.
 */
function chanceOfLessThanHalf(hits: number, misses: number): number {
  const tosses = hits + misses + 1;
  let term = 0.5 ** tosses;
  let fewer = 0;
  for (let headCount = 0; headCount <= hits; headCount += 1) {
    fewer += term;
    term *= (tosses - headCount) / (headCount + 1);
  }
  return 1 - fewer;
}
