import { memoizeByRef } from '../_kit/memoize.ts';
import { changedScore, leafValues } from '../_models/boosted-trees.ts';
import { linearLogit } from '../_models/linear-model.ts';
import { STEP_FEATURE_NAMES, type StepFeatures } from './step-features.ts';
import { type StepModel, stepScore } from './step-model.ts';
import type { StepView } from './step-view.ts';

/** A reason that a reader can check in the trace: order, failures, equal words and numbers; never the meaning of a word. */
interface Reason {
  /** Features with the same meaning; removed together. */
  features: readonly string[];
  holds(view: StepView): boolean;
  words: string;
  /** Whether it explains how a fault of a later step can originate from this one. */
  isSource?: true;
}

/** Minimum share of the final answer's words that a step must introduce. */
const PART_OF_ANSWER = 0.3;
const MIN_WORDS = 5;
/** Jaccard similarity from which two texts are nearly equal. */
const NEARLY_EQUAL = 0.8;

/** Whether the run has a final answer and the step comes before it. A last call or a bare "done" is no answer. */
const isBeforeAnswer = ({ run, index }: StepView) => run.isAnswerLast && index < run.finalAct;

/** Omitted if the error itself is shown. */
export const FAILED_ITSELF = 'it failed or returned an error';

const REASONS: readonly Reason[] = [
  { features: ['isError'], holds: ({ act }) => act.isError, words: FAILED_ITSELF },
  {
    features: ['beforeError', 'causesFirstError'],
    holds: ({ next }) => next?.isError === true,
    words: 'the step right after it failed or returned an error',
  },
  {
    features: ['afterError'],
    holds: ({ previous }) => previous?.isError === true,
    words: 'the step right before it failed or returned an error',
  },
  {
    features: ['freshInFinal', 'freshInFinal.z'],
    holds: (view) => isBeforeAnswer(view) && view.words.freshInFinal >= PART_OF_ANSWER,
    words: 'words of the final answer appear in it first',
    isSource: true,
  },
  {
    features: ['freshNumbersInFinal', 'freshNumbersInFinal.z'],
    holds: (view) => isBeforeAnswer(view) && view.words.freshNumbersInFinal > 0,
    words: 'numbers of the final answer appear in it first',
    isSource: true,
  },
  {
    features: ['numbersUsedLater', 'numbersUsedLater.z'],
    holds: ({ words }) => words.freshNumbersUsedLater > 0,
    words: 'later steps use numbers that appear in it first',
    isSource: true,
  },
  {
    features: ['usedLater', 'usedLater.z'],
    holds: ({ words }) => words.freshUsedLater >= MIN_WORDS,
    words: 'later steps use words that appear in it first',
  },
  {
    features: ['likeLater', 'likeLater.z', 'likeNext', 'likeNext.z'],
    holds: ({ like }) => like.later >= NEARLY_EQUAL,
    words: 'a later step says nearly the same',
    isSource: true,
  },
  {
    features: ['likeOwnLast', 'likeOwnLast.z', 'likePast', 'likePast.z'],
    holds: ({ like }) => like.past >= NEARLY_EQUAL,
    words: 'a step before it says nearly the same',
  },
];

const SOURCES = new Set(REASONS.flatMap(({ words, isSource }) => (isSource ? [words] : [])));

/** Whether the reason explains how a fault of a later step can originate from this one. */
export function isSourceReason(words: string): boolean {
  return SOURCES.has(words);
}

const MAX_REASONS = 3;

const FEATURE_AT: ReadonlyMap<string, number> = new Map(STEP_FEATURE_NAMES.map((name, index) => [name, index]));

/** The reasons that apply to the step and without which its score would be lower, those with the greatest effect first. */
export function reasonsFor(features: StepFeatures, row: number, model: StepModel): string[] {
  const values = features.rows[row]!;
  const view = features.views[row]!;
  const leaves = leafValues(model.trees, values);
  const score = stepScore(model, values);
  const means = meansOf(features);
  return REASONS.filter(({ holds }) => holds(view))
    .map(({ features: names, words }) => {
      const without = Float64Array.from(values);
      const changed = names.map((name) => FEATURE_AT.get(name)!);
      for (const feature of changed) without[feature] = means[feature]!;
      const changedTrees = changedScore(model.trees, leaves, without, changed);
      return { words, gain: score - (linearLogit(model.linear, without) + changedTrees) };
    })
    .filter(({ gain }) => gain > 0)
    .sort((a, b) => b.gain - a.gain)
    .slice(0, MAX_REASONS)
    .map(({ words }) => words);
}

const meansOf: (features: StepFeatures) => Float64Array = memoizeByRef(meanRow);

function meanRow({ rows, names }: StepFeatures): Float64Array {
  const means = new Float64Array(names.length);
  for (const row of rows)
    for (let index = 0; index < means.length; index += 1) means[index]! += row[index]! / rows.length;
  return means;
}
