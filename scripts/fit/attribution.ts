/**
 * Fits the models that rank the steps of a failed run, and measures them on held-out runs. node scripts/fit/attribution.ts
 * [--data DIR] [--seeds N | --write] `--write` writes `step-models.generated.json`, always with all seeds, so that the same
 * data give the same bytes.
 */
import { writeFileSync } from 'node:fs';
import { type Attribution, rankBy } from '../../src/detectors/_attribution/ranking.ts';
import { RUN_SHAPES, type RunShape } from '../../src/detectors/_attribution/run-shape.ts';
import type { StepModelFile } from '../../src/detectors/_attribution/step-model.ts';
import { type ProbabilityCurve, probabilityOf } from '../../src/detectors/_models/calibration-curve.ts';
import { ATTRIBUTION_SETS, type FailedRun, FRAMEWORK, failedRuns } from './attribution/failed-runs.ts';
import { fitStepModels, toStepModel, withCurve } from './attribution/fit-step-models.ts';
import { figureTable, type Named, namedBy } from './attribution/named.ts';
import { groupedFolds } from './grouped-folds.ts';
import { isotonicCurve } from './isotonic.ts';
import { dataFolder, type LabelledRecord, loadSet } from './load-set.ts';
import { expectedCalibrationError } from './metrics.ts';

const TARGET = new URL('../../src/detectors/_attribution/step-models.generated.json', import.meta.url);
const FOLDS = 5;
const SEEDS = 5;

type Answer = { agent: string | null; step: number; top: number[] };

/** One cross-validation changes a figure by several runs, so the answers of three are averaged. */
const CROSS_VALIDATIONS = [0, 1, 2];

/**
 * Answers by record id, of models fitted without the record's task in any set. Step indexes are those of the record.
 * `others` are the answers of further cross-validations.
 */
export function outOfFold(records: readonly LabelledRecord[]): Map<string, Answer & { others: Answer[] }> {
  const runs = failedRuns(records);
  const [first, ...others] = CROSS_VALIDATIONS.map((seed) => answersOf(foldwise(runs, seed)));
  return new Map(
    [...first!].map(([id, answer]) => [id, { ...answer, others: others.flatMap((each) => each.get(id) ?? []) }]),
  );
}

/** The same, of models fitted without the record's framework and without its task. */
export function setLeftOut(records: readonly LabelledRecord[]): Map<string, Answer> {
  return answersOf(frameworkwise(failedRuns(records)));
}

function foldwise(runs: readonly FailedRun[], seed: number): Named[] {
  return groupedFolds(runs, ({ group }) => group, FOLDS, seed).flatMap(({ train, test }) =>
    rankAll(test, fitStepModels(train, seed + 1)),
  );
}

function frameworkwise(runs: readonly FailedRun[]): Named[] {
  return [...Map.groupBy(runs, ({ family }) => FRAMEWORK[family])].flatMap(([framework, test]) => {
    const tasks = new Set(test.map(({ group }) => group));
    const train = runs.filter((run) => FRAMEWORK[run.family] !== framework && !tasks.has(run.group));
    return rankAll(test, fitStepModels(train));
  });
}

function rankAll(runs: readonly FailedRun[], files: Readonly<Record<RunShape, StepModelFile>>): Named[] {
  const models = Object.fromEntries(RUN_SHAPES.map((shape) => [shape, toStepModel(files[shape])]));
  return runs.flatMap((run) => {
    const found: Attribution | null = rankBy(run.features, (shape) => models[shape]!);
    return found === null ? [] : [namedBy(run, found)];
  });
}

function answersOf(named: readonly Named[]): Map<string, Answer> {
  return new Map(named.map(({ run, agent, step, top }) => [run.id, { agent, step, top }]));
}

/** Confidence is the frequency with which the first step was correct at that share, on held-out runs; known shapes share one curve. */
function calibrated(
  files: Readonly<Record<RunShape, StepModelFile>>,
  held: readonly Named[],
  leftOut: readonly Named[],
): Record<RunShape, StepModelFile> {
  const known = curveOf(held);
  return {
    group: withCurve(files.group, known),
    orchestrated: withCurve(files.orchestrated, known),
    single: withCurve(files.single, known),
    other: withCurve(files.other, curveOf(leftOut)),
  };
}

/** A run with several answers (seeds) has the weight of one. */
function curveOf(named: readonly Named[]): ProbabilityCurve {
  const rounds = named.length / Math.max(1, new Set(named.map(({ run }) => run.id)).size);
  return isotonicCurve(
    named.map(({ share, hasStep }) => ({
      score: Math.round(share * 20) / 20,
      label: hasStep ? 1 : 0,
      weight: 1 / rounds,
    })),
  );
}

/** Calibration error of the confidence, with the curve also fitted without the task. */
function confidenceError(named: readonly Named[]): number {
  const judged = groupedFolds(named, ({ run }) => run.group, FOLDS, 100).flatMap(({ train, test }) => {
    const curve = curveOf(train);
    return test.map(({ share, hasStep }) => ({ score: probabilityOf(curve, share), label: hasStep }));
  });
  return expectedCalibrationError(judged);
}

function run(): void {
  const at = process.argv.indexOf('--seeds');
  const isWriting = process.argv.includes('--write');
  if (isWriting && at !== -1) throw new Error('--seeds is for a quick look: --write fits with all seeds');
  const runs = failedRuns(ATTRIBUTION_SETS.flatMap((set) => loadSet(set, dataFolder())));
  const seeds = Array.from({ length: at === -1 ? SEEDS : Number(process.argv[at + 1]) }, (_, seed) => seed);
  const held = seeds.flatMap((seed) => foldwise(runs, seed));
  const leftOut = frameworkwise(runs);
  console.log(`Out of fold, grouped by task, mean of ${seeds.length} seeds\n${figureTable(held)}`);
  console.log(`Framework left out\n${figureTable(leftOut)}`);
  console.log(
    `Calibration error of confidence: ${confidenceError(held).toFixed(3)}, framework left out ${confidenceError(leftOut).toFixed(3)}`,
  );
  if (!isWriting) return;
  const json = `${JSON.stringify(calibrated(fitStepModels(runs), held, leftOut))}\n`;
  writeFileSync(TARGET, json);
  console.log(`${json.length} characters written`);
}

if (import.meta.main) run();
