import {
  type LinearModel,
  type LinearModelFile,
  linearLogit,
  readLinearModel,
  sigmoid,
} from '../../_models/linear-model.ts';
import { FEATURE_NAMES, featuresOf, type SentenceSupport } from './features.ts';
import generated from './model.generated.json' with { type: 'json' };

/** The fitted model as stored in its generated file. */
export interface GroundingModelFile {
  linear: LinearModelFile;
  /** Parameters from log-odds to the probability of being unsupported (Platt). */
  slope: number;
  offset: number;
  /** Share of unsupported texts that the probability assumes. */
  prior: number;
  /** Score that 5 % of the supported texts in unseen sets reach; each set has the same weight. */
  strict: number;
  /** The same for 1 %. */
  certain: number;
}

export interface GroundingModel extends Omit<GroundingModelFile, 'linear'> {
  linear: LinearModel;
}

/** @throws if the file was fitted to other features */
export function readGroundingModel(file: GroundingModelFile): GroundingModel {
  const linear = readLinearModel(file.linear);
  if (linear.features.join() !== FEATURE_NAMES.join())
    throw new Error('the grounding model has other features: fit it again');
  return { ...file, linear };
}

let shipped: GroundingModel | null = null;

export function shippedModel(): GroundingModel {
  shipped ??= readGroundingModel(generated);
  return shipped;
}

/**
 * From this number of sentences, a text is scored sentence by sentence: one wrong sentence among many does not stand out in
 * the whole.
 */
const MANY_SENTENCES = 3;
/** Idf of a sentence with a full claim; a sentence with less counts in part. */
const CLAIM_IDF = 25;

/**
 * Log-odds that something in the text is unsupported. Texts of up to two sentences are scored as a whole, longer ones by
 * the probability that at least one sentence is unsupported.
 */
export function textLogit(sentences: readonly SentenceSupport[], model: LinearModel): number {
  if (sentences.length < MANY_SENTENCES) return linearLogit(model, featuresOf(sentences));
  let allSupported = 0;
  for (const sentence of sentences) {
    const logit = linearLogit(model, featuresOf([sentence]));
    allSupported += Math.min(1, sentence.words.idf / CLAIM_IDF) * Math.log(Math.max(1e-9, 1 - sigmoid(logit)));
  }
  return Math.log(Math.max(1e-9, 1 - Math.exp(allSupported))) - allSupported;
}

export function probabilityOfLogit(logit: number, { slope, offset }: Pick<GroundingModel, 'slope' | 'offset'>): number {
  return sigmoid(slope * logit + offset);
}
