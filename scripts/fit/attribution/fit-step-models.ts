import type { RunShape } from '../../../src/detectors/_attribution/run-shape.ts';
import { STEP_FEATURE_NAMES } from '../../../src/detectors/_attribution/step-features.ts';
import type { StepModel, StepModelFile } from '../../../src/detectors/_attribution/step-model.ts';
import { type BoostedTrees, packBoostedTrees } from '../../../src/detectors/_models/boosted-trees.ts';
import type { ProbabilityCurve } from '../../../src/detectors/_models/calibration-curve.ts';
import { readLinearModel } from '../../../src/detectors/_models/linear-model.ts';
import { type BoostingOptions, fitBoosting } from '../gradient-boosting.ts';
import { fitLogistic, packLogistic } from '../logistic-regression.ts';
import type { FailedRun } from './failed-runs.ts';

const POSITIONS = new Set(
  'position remaining place runLength modelPosition modelRemaining modelPlace agentPosition depth'.split(' '),
);
/** A few general features: the role, the new content, and what is used later. */
const GENERAL = new Set(
  (
    'place modelPlace agentPosition isModel isPlanning isAddressed role.planner role.worker role.verifier role.executor ' +
    'afterTool beforeTool beforeError isError causesFirstError fresh.z freshNumbers.z usedLater.z freshInFinal.z likeLater.z ' +
    'likePast.z taskCovered.z length.z says.assumption says.recall says.conclusion says.browsing says.inability'
  ).split(' '),
);

/** Subsets of the features that transfer differently; their mean is more stable than each of them. */
const TRANSFERABLE: readonly { l2: number; includes(name: string): boolean }[] = [
  { l2: 0.03, includes: () => true },
  { l2: 0.05, includes: (name) => /\.z$|^role|^is|^after|^before|[pP]lace/.test(name) },
  { l2: 0.1, includes: (name) => !POSITIONS.has(name) },
  { l2: 0.1, includes: (name) => GENERAL.has(name) },
];

type Shaped = Readonly<Record<RunShape, StepModelFile>>;

/** The models of all shapes from these runs; `seed` only affects the sampling of the trees. */
export function fitStepModels(runs: readonly FailedRun[], seed = 1): Shaped {
  const general = meanLinear(TRANSFERABLE.map(({ l2, includes }) => fitLinear(runs, l2, includes, true)));
  const pooled = joined([
    fitTrees(runs, { learningRate: 0.1, seed }),
    fitTrees(runs, { learningRate: 0.08, rowShare: 0.8, featureShare: 0.4, seed }),
    fitTrees(runs, { trees: 160, learningRate: 0.06, rowShare: 0.8, featureShare: 0.5, seed: seed + 3 }),
  ]);
  const isKnown = (shape: RunShape) => runs.filter((run) => run.shape === shape).length >= MIN_RUNS;
  return {
    group: ofShape('group', runs, { general, pooled, seed }),
    orchestrated: isKnown('orchestrated') ? model(NO_WEIGHTS, pooled, 'top') : model(general, NO_TREES),
    single: ofShape('single', runs, { general, pooled, seed }),
    other: model(general, NO_TREES),
  };
}

/** Scores of the parts add up to the mean of their log-odds; `trees` and `linear` are shares. */
function ofShape(
  shape: 'group' | 'single',
  runs: readonly FailedRun[],
  { general, pooled, seed }: { general: Float64Array; pooled: BoostedTrees; seed: number },
): StepModelFile {
  const own = runs.filter((run) => run.shape === shape);
  if (own.length < MIN_RUNS) return model(general, NO_TREES);
  const linear = meanLinear([fitLinear(own, 0.1), fitLinear(own, 0.6), general]);
  const small = { maxLeaves: 5, learningRate: 0.05, rowShare: 0.7, featureShare: 0.25, l2: 3 };
  const trees = BAGGING_SEEDS.flatMap((nth) => [
    fitTrees(own, { ...small, seed: seed + 20 * nth }),
    fitTrees(own, { ...small, objective: 'listwise', seed: seed + 20 * nth + 6 }),
  ]);
  const [byWeights, byOwn, byPooled] = SHARES[shape];
  const forest = joined([scaledTrees(joined(trees), byOwn), scaledTrees(pooled, byPooled)], false);
  return model(scaled(linear, byWeights), forest);
}

/** With so few runs, results differ between seeds; their mean is more stable. */
const BAGGING_SEEDS = [0, 1, 2];

/** Shares of the linear model, the trees of the shape and the trees of all runs; held-out likelihood hardly changes around these values. */
const SHARES = { group: [0.48, 0.32, 0.2], single: [0.4, 0.3, 0.3] } as const;

/** With fewer runs of a shape, a model of its own overfits. */
const MIN_RUNS = 12;

const NO_WEIGHTS = new Float64Array(STEP_FEATURE_NAMES.length);
const NO_TREES: BoostedTrees = { features: STEP_FEATURE_NAMES, base: 0, trees: [] };

function model(weights: Float64Array, trees: BoostedTrees, agentBy: 'sum' | 'top' = 'sum'): StepModelFile {
  const linear = packLogistic(STEP_FEATURE_NAMES, { bias: 0, dense: weights, sparse: new Float64Array() });
  return {
    linear,
    trees: packBoostedTrees(trees),
    curve: [
      [0, 0],
      [1, 1],
    ],
    agentBy,
  };
}

export function toStepModel({ linear, ...rest }: StepModelFile): StepModel {
  return { ...rest, linear: readLinearModel(linear) };
}

export function withCurve(file: StepModelFile, curve: ProbabilityCurve): StepModelFile {
  return { ...file, curve };
}

function fitTrees(runs: readonly FailedRun[], options: BoostingOptions): BoostedTrees {
  const examples = runs.flatMap(({ id, features, candidates, answer }) =>
    candidates.map((row, at) => ({ values: features.rows[row]!, label: at === answer ? 1 : 0, list: id })),
  );
  return fitBoosting(STEP_FEATURE_NAMES, examples, { trees: 80, maxLeaves: 6, minRows: 5, ...options });
}

/** Weights in the order of all features; 0 for those not used. The bias is the same for all steps of a run and is omitted. */
function fitLinear(
  runs: readonly FailedRun[],
  l2: number,
  includes: (name: string) => boolean = () => true,
  isBalanced = false,
): Float64Array {
  const taken = STEP_FEATURE_NAMES.flatMap((name, index) => (includes(name) ? [index] : []));
  const sizes = Map.groupBy(runs, ({ family }) => family);
  const examples = runs.flatMap((run) => {
    const weight = isBalanced ? runs.length / (sizes.get(run.family)!.length * sizes.size) : 1;
    const others = weight / Math.max(6, run.candidates.length);
    return run.candidates.map((row, at) => ({
      dense: taken.map((index) => run.features.rows[row]![index]!),
      sparse: null,
      label: at === run.answer ? 1 : 0,
      weight: at === run.answer ? weight : others,
    }));
  });
  const { dense } = fitLogistic(examples, { l2Dense: l2, iterations: 80 });
  const weights = new Float64Array(STEP_FEATURE_NAMES.length);
  taken.forEach((index, at) => {
    weights[index] = dense[at]!;
  });
  return weights;
}

function meanLinear(parts: readonly Float64Array[]): Float64Array {
  return parts[0]!.map((_, index) => parts.reduce((sum, part) => sum + part[index]!, 0) / parts.length);
}

function scaled(weights: Float64Array, by: number): Float64Array {
  return weights.map((weight) => weight * by);
}

/** One forest whose score is the mean (or the sum) of the forests' scores. */
function joined(forests: readonly BoostedTrees[], isMean = true): BoostedTrees {
  const trees = forests.flatMap((forest) => scaledTrees(forest, isMean ? 1 / forests.length : 1).trees);
  return { features: STEP_FEATURE_NAMES, base: 0, trees };
}

function scaledTrees({ features, trees }: BoostedTrees, by: number): BoostedTrees {
  return { features, base: 0, trees: trees.map((tree) => ({ ...tree, leaf: tree.leaf.map((value) => value * by) })) };
}
