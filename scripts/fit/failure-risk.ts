/**
 * Fits the models that tell how likely a run failed, and measures them on runs they have not seen.
 * node scripts/fit/failure-risk.ts [--data DIR] [--seeds N] [--write]
 * `--write` renews `risk-models.generated.json`.
 */
import { writeFileSync } from 'node:fs';
import { type RiskModelFile, riskScore } from '../../src/detectors/_attribution/risk-model.ts';
import { RUN_KINDS, type RunKind } from '../../src/detectors/_attribution/run-kind.ts';
import type { ProbabilityCurve } from '../../src/detectors/_models/calibration-curve.ts';
import { asRiskModel, fitRiskModels } from './failure-risk/fit-risk-models.ts';
import { type JudgedRun, judgedRuns, OUTCOME_SETS } from './failure-risk/judged-runs.ts';
import { groupedFolds, setLeftOut as splitBySet } from './grouped-folds.ts';
import { plattScaling } from './isotonic.ts';
import { dataFolder, type LabelledRecord, loadSet } from './load-set.ts';
import { auroc, groupBootstrap } from './metrics.ts';

const TARGET = new URL('../../src/detectors/_attribution/risk-models.generated.json', import.meta.url);
const FOLDS = 5;

interface Rated {
  run: JudgedRun;
  /** Comparable among runs of one kind, or a probability. */
  score: number;
}

/** Probabilities by record id, of models that have seen nothing of the record's task. */
export function outOfFold(records: readonly LabelledRecord[]): Map<string, number> {
  const runs = judgedRuns(records);
  return probabilities(foldwise(runs, 0), runs);
}

/** The same of models that have seen nothing of the record's set. */
export function setLeftOut(records: readonly LabelledRecord[]): Map<string, number> {
  const runs = judgedRuns(records);
  return probabilities(setwise(runs), runs);
}

function foldwise(runs: readonly JudgedRun[], seed: number): Rated[] {
  return groupedFolds(runs, ({ group }) => group, FOLDS, seed).flatMap(({ train, test }) =>
    rateAll(test, fitRiskModels(train, seed + 1)),
  );
}

function setwise(runs: readonly JudgedRun[]): Rated[] {
  return splitBySet(runs, ({ set }) => set).flatMap(({ train, test }) => rateAll(test, fitRiskModels(train)));
}

function rateAll(runs: readonly JudgedRun[], files: Readonly<Record<RunKind, RiskModelFile>>): Rated[] {
  return runs.map((run) => ({ run, score: riskScore(asRiskModel(files[run.row.kind]), run.row) }));
}

function probabilities(rated: readonly Rated[], runs: readonly JudgedRun[]): Map<string, number> {
  const curves = curvesOf(rated, runs);
  return new Map(
    rated.map(({ run, score }) => {
      const { slope, offset } = curves[run.row.kind];
      return [run.id, 1 / (1 + Math.exp(-(slope * score + offset)))];
    }),
  );
}

/** Platt's curve of each kind on scores of runs not fitted on. */
function curvesOf(
  rated: readonly Rated[],
  runs: readonly JudgedRun[],
): Record<RunKind, { slope: number; offset: number }> {
  const base = runs.filter(({ hasFailed }) => hasFailed).length / Math.max(1, runs.length);
  const curves = RUN_KINDS.map((kind) => {
    const own = rated.filter(({ run }) => run.row.kind === kind);
    const samples = own.map(({ run, score }) => ({ score, label: run.hasFailed ? 1 : 0 }));
    const fitted = samples.length < 20 ? { slope: 0.3, offset: Math.log(base / (1 - base)) } : plattScaling(samples);
    return [kind, { ...fitted, slope: Math.max(0, fitted.slope) }] as const;
  });
  return Object.fromEntries(curves) as Record<RunKind, { slope: number; offset: number }>;
}

/** A straight enough curve of points, as the models ship it. */
function asCurve({ slope, offset }: { slope: number; offset: number }): ProbabilityCurve {
  const points = Array.from({ length: 33 }, (_, nth) => (nth - 16) / 2);
  return points.map((score) => [score, Number((1 / (1 + Math.exp(-(slope * score + offset)))).toFixed(4))] as const);
}

function figure(rated: readonly Rated[], set: string): string {
  const own = rated.filter(({ run }) => run.set === set);
  const area = (items: readonly Rated[]) => auroc(items.map(({ run, score }) => ({ score, label: run.hasFailed })));
  const [low, high] = groupBootstrap(own, ({ run }) => run.group, area, { draws: 300 });
  return `${area(own).toFixed(3)} [${low.toFixed(2)}, ${high.toFixed(2)}]`;
}

function run(): void {
  const runs = judgedRuns(OUTCOME_SETS.flatMap((set) => loadSet(set, dataFolder())));
  const at = process.argv.indexOf('--seeds');
  const seeds = Array.from({ length: at === -1 ? 3 : Number(process.argv[at + 1]) }, (_, seed) => seed);
  const rounds = seeds.map((seed) => foldwise(runs, seed));
  const leftOut = setwise(runs);
  console.log('| set | n (failed) | kinds | out of fold, by seed | set left out |\n|---|---|---|---|---|');
  for (const set of OUTCOME_SETS) {
    const own = runs.filter((run) => run.set === set);
    const kinds = [...Map.groupBy(own, ({ row }) => row.kind)].map(([kind, all]) => `${kind} ${all.length}`).join(', ');
    const failed = own.filter(({ hasFailed }) => hasFailed).length;
    const cells = rounds.map((rated) => figure(rated, set)).join('; ');
    console.log(`| ${set} | ${own.length} (${failed}) | ${kinds} | ${cells} | ${figure(leftOut, set)} |`);
  }
  if (process.argv.includes('--write')) write(runs, rounds[0]!);
}

function write(runs: readonly JudgedRun[], held: readonly Rated[]): void {
  const curves = curvesOf(held, runs);
  const files = fitRiskModels(runs);
  const withCurves = RUN_KINDS.map((kind) => [kind, { ...files[kind], curve: asCurve(curves[kind]) }]);
  const json = `${JSON.stringify(Object.fromEntries(withCurves))}\n`;
  writeFileSync(TARGET, json);
  console.log(`${json.length} characters written`);
}

if (import.meta.main) run();
