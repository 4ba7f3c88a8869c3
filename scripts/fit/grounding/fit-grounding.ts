import { packLinearModel, readLinearModel } from '../../../src/detectors/_models/linear-model.ts';
import { FEATURE_NAMES, featuresOf, type SentenceSupport } from '../../../src/detectors/_readings/support/features.ts';
import type { Idf } from '../../../src/detectors/_readings/support/idf.ts';
import { type GroundingModelFile, textLogit } from '../../../src/detectors/_readings/support/model.ts';
import { sentenceSupports } from '../../../src/detectors/_readings/support/score.ts';
import { indexSources } from '../../../src/detectors/_readings/support/source-index.ts';
import { fitLogistic } from '../logistic-regression.ts';
import { thresholdAtMeanFpr } from '../metrics.ts';
import type { TextPair } from './text-pairs.ts';

/** A pair with its features. */
export interface Measured {
  pair: TextPair;
  isSynthetic: boolean;
  support: SentenceSupport[];
  features: number[];
}

export function measure(pairs: readonly TextPair[], idf: Idf, isSynthetic = false): Measured[] {
  return pairs.map((pair) => {
    const supported = sentenceSupports(pair.text, indexSources(pair.sources), idf);
    const support = supported.map((one) => one.support);
    return { pair, isSynthetic, support, features: featuresOf(support) };
  });
}

/** Deliberately strong: the features are nearly collinear, and their plain mean transfers best to other texts. */
const L2 = 0.28;
/** Total weight of all synthetic claims; each set of human labels has weight 1. */
const SYNTHETIC_WEIGHT = 0.5;
const STRICT_FPR = 0.05;
const CERTAIN_FPR = 0.01;

export type Logit = (measured: Measured) => number;

/** Equal weight for each set, and for each class in it; the synthetic claims count as one more set. */
export function fitLinear(training: readonly Measured[]) {
  const keyOf = ({ pair, isSynthetic }: Measured) => `${isSynthetic ? 'made' : pair.set} ${pair.label}`;
  const sizes = new Map<string, number>();
  for (const one of training) sizes.set(keyOf(one), (sizes.get(keyOf(one)) ?? 0) + 1);
  const examples = training.map((one) => ({
    dense: one.features,
    sparse: null,
    label: one.pair.label,
    weight: (one.isSynthetic ? SYNTHETIC_WEIGHT : 1) / sizes.get(keyOf(one))!,
  }));
  return packLinearModel(FEATURE_NAMES, fitLogistic(examples, { l2Dense: L2 }));
}

export function logitOf(training: readonly Measured[]): Logit {
  const model = readLinearModel(fitLinear(training));
  return ({ support }) => textLogit(support, model);
}

export interface HeldOutPair {
  measured: Measured;
  logit: number;
}

/** Each set of human labels, scored by a model fitted without it. */
export function heldOutBySet(training: readonly Measured[]): HeldOutPair[] {
  const sets = [...new Set(training.map(({ pair }) => pair.set))].sort();
  return sets.flatMap((set) => {
    const logit = logitOf(training.filter(({ pair }) => pair.set !== set));
    const left = training.filter(({ pair, isSynthetic }) => pair.set === set && !isSynthetic);
    return left.map((measured) => ({ measured, logit: logit(measured) }));
  });
}

/**
 * From log-odds of left-out sets to a probability; each set has the same weight. Classes keep their shares, about two thirds
 * unsupported: this share is the prior of every probability of the model.
 */
export function fitPlatt(held: readonly HeldOutPair[]): { slope: number; offset: number; prior: number } {
  const sizes = new Map<string, number>();
  for (const { measured } of held) sizes.set(measured.pair.set, (sizes.get(measured.pair.set) ?? 0) + 1);
  const weightOf = ({ measured: { pair } }: HeldOutPair) => 1 / sizes.get(pair.set)! / sizes.size;
  const { bias, dense } = fitLogistic(
    held.map((one) => ({ dense: [one.logit], sparse: null, label: one.measured.pair.label, weight: weightOf(one) })),
    { l2Dense: 0 },
  );
  const prior = held.reduce((sum, one) => sum + weightOf(one) * one.measured.pair.label, 0);
  return {
    slope: Number(dense[0]!.toPrecision(5)),
    offset: Number(bias.toPrecision(5)),
    prior: Number(prior.toFixed(3)),
  };
}

/** The shipped model: fitted on all sets, with probabilities and threshold from left-out sets. */
export function fitGrounding(training: readonly Measured[]): GroundingModelFile {
  const held = heldOutBySet(training);
  const platt = fitPlatt(held);
  const scoreOf = ({ logit }: HeldOutPair) => 1 / (1 + Math.exp(-(platt.slope * logit + platt.offset)));
  const supported = Map.groupBy(
    held.filter(({ measured }) => measured.pair.label === 0),
    ({ measured }) => measured.pair.set,
  );
  const thresholdAt = (rate: number) =>
    Number(
      thresholdAtMeanFpr(
        [...supported.values()].map((some) => some.map(scoreOf)),
        rate,
      ).toFixed(4),
    );
  return { linear: fitLinear(training), ...platt, strict: thresholdAt(STRICT_FPR), certain: thresholdAt(CERTAIN_FPR) };
}
