import {
  type LinearModel,
  type LinearModelFile,
  linearLogit,
  readLinearModel,
  sigmoid,
} from '../_models/linear-model.ts';
import { FEATURE_NAMES, featuresOf, type SentenceSupport } from './features.ts';
import generated from './model.generated.json' with { type: 'json' };

/** The fitted model as it stands in its generated file. */
export interface GroundingModelFile {
  linear: LinearModelFile;
  /** From log-odds to the probability of being unsupported (Platt). */
  slope: number;
  offset: number;
  /** Share of unsupported texts for which the probability holds. */
  prior: number;
  /** Score that 5 % of supported texts of sets the model had not seen reach, each set weighing the same. */
  strict: number;
  /** The same for 1 %. */
  certain: number;
}

export interface GroundingModel extends Omit<GroundingModelFile, 'linear'> {
  linear: LinearModel;
}

/** @throws when the file was fitted for other features */
export function readGroundingModel(file: GroundingModelFile): GroundingModel {
  const linear = readLinearModel(file.linear);
  if (linear.features.join() !== FEATURE_NAMES.join())
    throw new Error('the grounding model is of other features: fit it anew');
  return { ...file, linear };
}

let shipped: GroundingModel | null = null;

export function shippedModel(): GroundingModel {
  shipped ??= readGroundingModel(generated);
  return shipped;
}

/** From here on a text is judged sentence by sentence: one wrong sentence among many is lost in the whole. */
const MANY_SENTENCES = 3;
/** Idf of a sentence that says as much as a full claim; with less it counts in part. */
const CLAIM_IDF = 25;

/** Log-odds that something in the text is unsupported. Up to two sentences as a whole, else at least one of them. */
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
