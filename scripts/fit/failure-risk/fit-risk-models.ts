import { TROUBLE_COLUMNS } from '../../../src/detectors/_attribution/ranked-risk.ts';
import type { RiskModel, RiskModelFile, RiskRow } from '../../../src/detectors/_attribution/risk-model.ts';
import { RUN_FEATURE_NAMES } from '../../../src/detectors/_attribution/run-features.ts';
import { RUN_GRAM_BUCKETS } from '../../../src/detectors/_attribution/run-grams.ts';
import { RUN_KINDS, type RunKind } from '../../../src/detectors/_attribution/run-kind.ts';
import type { BoostedTrees } from '../../../src/detectors/_models/boosted-trees.ts';
import { boostedScore, packBoostedTrees } from '../../../src/detectors/_models/boosted-trees.ts';
import { readLinearModel } from '../../../src/detectors/_models/linear-model.ts';
import { type BoostingOptions, fitBoosting } from '../gradient-boosting.ts';
import { fitLogistic, type LogisticWeights, packLogistic } from '../logistic-regression.ts';
import type { JudgedRun } from './judged-runs.ts';

type Score = (row: RiskRow) => number;

interface Recipe {
  /** With fewer runs the unfitted sum is taken. */
  fewest?: number;
  trees: BoostingOptions | null;
  /** Dense features of the linear part, how hard they are pulled to zero, and the share of the part. */
  dense?: { takes(name: string): boolean; l2: number; share: number };
  grams?: { l2: number; share: number };
}

const SMALL: BoostingOptions = {
  trees: 60,
  maxLeaves: 5,
  learningRate: 0.06,
  rowShare: 0.8,
  featureShare: 0.4,
  minRows: 8,
  l2: 2,
};

/** In shell work little tells, and each of these a bit: a strong pull makes all but a plain sum of them. Trees learn accidents. */
const SHELL_FEATURES = new Set('hedges hedgesPerTurn newFiles edits namedFiles patchLines untested'.split(' '));

const RECIPES: Readonly<Record<RunKind, Recipe>> = {
  conversation: { trees: SMALL, grams: { l2: 0.005, share: 1 } },
  shell: { trees: null, dense: { takes: (name) => SHELL_FEATURES.has(name), l2: 20, share: 1 } },
  tools: { trees: SMALL, dense: { takes: () => true, l2: 0.5, share: 1 }, grams: { l2: 0.005, share: 1 } },
  // Eighty runs without a call, of one system, told less of those of another than the sum does.
  talk: { fewest: 100, trees: SMALL },
};

/** Taken where a kind of run has not been seen: an unfitted sum of standard scores. */
const TROUBLE = new Set(TROUBLE_COLUMNS);

const FEWEST_RUNS = 60;

/** Models without alarms and curves: those take scores of runs not fitted on. */
export function fitRiskModels(runs: readonly JudgedRun[], seed = 1): Readonly<Record<RunKind, RiskModelFile>> {
  return Object.fromEntries(RUN_KINDS.map((kind) => [kind, fitRiskModel(runs, kind, seed)])) as Record<
    RunKind,
    RiskModelFile
  >;
}

export function fitRiskModel(runs: readonly JudgedRun[], kind: RunKind, seed = 1): RiskModelFile {
  const own = runs.filter(({ row }) => row.kind === kind);
  const recipe = RECIPES[kind];
  if (own.length < (recipe.fewest ?? FEWEST_RUNS)) return troubleModel(runs);
  return { ...fitKind(own, recipe, seed), tools: toolsIn(own) };
}

/** Hashed names of the tools they called. */
function toolsIn(runs: readonly JudgedRun[]): number[] {
  return [...new Set(runs.flatMap(({ row }) => row.tools))].sort((a, b) => a - b);
}

/** Every part in standard scores of its own on the runs it was fitted on, so that their shares mean something. */
function fitKind(runs: readonly JudgedRun[], { trees, dense, grams }: Recipe, seed: number): RiskModelFile {
  const weights: LogisticWeights = noWeights();
  if (dense !== undefined) {
    const taken = RUN_FEATURE_NAMES.flatMap((name, index) => (dense.takes(name) ? [index] : []));
    const fit = fitLogistic(
      runs.map(({ row, hasFailed }) => ({
        dense: taken.map((index) => row.values[index]!),
        sparse: null,
        label: hasFailed ? 1 : 0,
      })),
      { l2Dense: dense.l2, iterations: 80 },
    );
    const full = noWeights();
    taken.forEach((index, at) => {
      full.dense[index] = fit.dense[at]!;
    });
    addPart(weights, full, runs, dense.share);
  }
  if (grams !== undefined) addPart(weights, fitGrams(runs, grams.l2), runs, grams.share);
  return file(weights, trees === null ? NO_TREES : standardTrees(runs, trees, seed));
}

function fitGrams(runs: readonly JudgedRun[], l2: number): LogisticWeights {
  const examples = runs.map(({ row, hasFailed }) => ({ dense: [], sparse: row.grams, label: hasFailed ? 1 : 0 }));
  const { sparse } = fitLogistic(examples, { l2Sparse: l2, sparseSize: RUN_GRAM_BUCKETS, iterations: 60 });
  return { ...noWeights(), sparse };
}

function standardTrees(runs: readonly JudgedRun[], options: BoostingOptions, seed: number): BoostedTrees {
  const examples = runs.map(({ row, hasFailed }) => ({ values: row.values, label: hasFailed ? 1 : 0 }));
  const forest = meanForest(
    BAGGED.map((nth) => fitBoosting(RUN_FEATURE_NAMES, examples, { ...options, seed: seed + 20 * nth })),
  );
  const { mean, deviation } = spread(runs.map(({ row }) => boostedScore(forest, row.values)));
  const trees = forest.trees.map((tree) => ({ ...tree, leaf: tree.leaf.map((value) => value / deviation) }));
  return { features: RUN_FEATURE_NAMES, base: (forest.base - mean) / deviation, trees };
}

/** What one seed finds in so few runs another does not: their mean is steadier. */
const BAGGED = [0, 1, 2];

function meanForest(forests: readonly BoostedTrees[]): BoostedTrees {
  const share = 1 / forests.length;
  const trees = forests.flatMap((forest) =>
    forest.trees.map((tree) => ({ ...tree, leaf: tree.leaf.map((value) => value * share) })),
  );
  return { features: RUN_FEATURE_NAMES, base: forests.reduce((sum, { base }) => sum + base * share, 0), trees };
}

function addPart(to: LogisticWeights, part: LogisticWeights, runs: readonly JudgedRun[], share: number): void {
  const { mean, deviation } = spread(runs.map(({ row }) => linearScore(part)(row)));
  const scale = share / deviation;
  to.bias += (part.bias - mean) * scale;
  part.dense.forEach((weight, index) => {
    to.dense[index]! += weight * scale;
  });
  part.sparse.forEach((weight, index) => {
    to.sparse[index]! += weight * scale;
  });
}

function linearScore({ bias, dense, sparse }: LogisticWeights): Score {
  return ({ values, grams }) => {
    let score = bias;
    for (let index = 0; index < dense.length; index += 1) score += dense[index]! * values[index]!;
    for (let at = 0; at < grams.indices.length; at += 1) score += sparse[grams.indices[at]!]! * grams.values[at]!;
    return score;
  };
}

function troubleModel(runs: readonly JudgedRun[]): RiskModelFile {
  const weights = noWeights();
  RUN_FEATURE_NAMES.forEach((name, index) => {
    if (!TROUBLE.has(name)) return;
    const { mean, deviation } = spread(runs.map(({ row }) => row.values[index]!));
    weights.dense[index] = 1 / deviation;
    weights.bias -= mean / deviation;
  });
  return file(weights, NO_TREES);
}

const NO_TREES: BoostedTrees = { features: RUN_FEATURE_NAMES, base: 0, trees: [] };

function noWeights(): LogisticWeights {
  return { bias: 0, dense: new Float64Array(RUN_FEATURE_NAMES.length), sparse: new Float64Array(RUN_GRAM_BUCKETS) };
}

function file(weights: LogisticWeights, trees: BoostedTrees): RiskModelFile {
  const hasGrams = weights.sparse.some((weight) => weight !== 0);
  const sparse = hasGrams ? weights.sparse : new Float64Array();
  return {
    linear: packLogistic(RUN_FEATURE_NAMES, { ...weights, sparse }),
    trees: packBoostedTrees(trees),
    curve: [
      [-20, 0],
      [20, 1],
    ],
    alarm: null,
    tools: [],
  };
}

export function asRiskModel({ linear, trees, curve, alarm, tools }: RiskModelFile): RiskModel {
  return { linear: readLinearModel(linear), trees, curve, alarm, tools: new Set(tools) };
}

function spread(values: readonly number[]): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean, deviation: variance < 1e-12 ? 1 : Math.sqrt(variance) };
}
