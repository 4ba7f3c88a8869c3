/**
 * Calibrates the scores of detectors that judge the outcome of a run, with labelled runs. node scripts/fit/calibration.ts
 * [--data DIR] [--write] `--write` writes `calibration.generated.json` of each of them, `null` if there are too few labels.
 */
import { writeFileSync } from 'node:fs';
import type { Calibration } from '../../src/detectors/_kit/calibration.ts';
import { calibrationOf, FIRING_SCORE, fitOutcome } from './calibration/outcome-curves.ts';
import { labelledRuns, OUTCOME_DETECTORS, OUTCOME_SETS, type RunDetection } from './calibration/run-detections.ts';
import { groupedFolds, setLeftOut as setsLeftOut } from './grouped-folds.ts';
import { dataFolder, type LabelledRecord, loadSet } from './load-set.ts';
import { expectedCalibrationError } from './metrics.ts';

const TARGET = new URL('../../src/detectors/', import.meta.url);
const FOLDS = 5;

/** The confidence of one detection by a fit without its task, or without its set. */
export interface HeldOutConfidence {
  type: string;
  subtype: string;
  span_id: string;
  confidence: number;
}

/** Confidences of what fired on each run, by fits without the run's task. */
export function outOfFold(records: readonly LabelledRecord[]): Map<string, HeldOutConfidence[]> {
  return heldOut(firedIn(records), (detections) => groupedFolds(detections, ({ group }) => group, FOLDS));
}

/** The same by fits without the run's whole set. */
export function setLeftOut(records: readonly LabelledRecord[]): Map<string, HeldOutConfidence[]> {
  return heldOut(firedIn(records), (detections) => setsLeftOut(detections, ({ set }) => set));
}

type Split = (detections: readonly RunDetection[]) => { train: RunDetection[]; test: RunDetection[] }[];

/** Confidences of the calibrated detectors; a detector that does not occur in the training data gets the curve of all detectors. */
function heldOut(detections: readonly RunDetection[], split: Split): Map<string, HeldOutConfidence[]> {
  const shipped = fitOutcome(detections);
  const known = detections.filter(({ type }) => calibrationOf(type, detections, shipped, 0) !== null);
  const answers = split(known).flatMap(({ train, test }) => confidencesBy(train, test));
  const byRun = Map.groupBy(answers, ({ id }) => id);
  return new Map([...byRun].map(([id, own]) => [id, own.map(({ answer }) => answer)]));
}

function confidencesBy(train: readonly RunDetection[], test: readonly RunDetection[]) {
  const model = fitOutcome(train);
  return test.map(({ id, type, subtype, spanId, score }) => ({
    id,
    answer: { type, subtype, span_id: spanId, confidence: model.probabilityOf(type, subtype, score) },
  }));
}

/** Detections that fire by default: only these are calibrated. */
function firedIn(records: readonly LabelledRecord[]): RunDetection[] {
  return labelledRuns(records).flatMap(({ detections }) => detections.filter(hasFired));
}

function hasFired({ score }: RunDetection): boolean {
  return score >= FIRING_SCORE;
}

function main(args: readonly string[]): void {
  const data = dataFolder(args);
  const records = OUTCOME_SETS.flatMap((set) => loadSet(set, data));
  const runs = labelledRuns(records);
  const firingDetections = runs.flatMap(({ detections }) => detections.filter(hasFired));
  const base = runs.filter(({ hasFailed }) => hasFailed).length / runs.length;
  const model = fitOutcome(firingDetections);
  for (const type of OUTCOME_DETECTORS) {
    const calibration = calibrationOf(type, firingDetections, model, base);
    print(type, calibration, firingDetections);
    if (args.includes('--write')) writeFileSync(fileOf(type), `${JSON.stringify(calibration, null, 2)}\n`);
  }
  for (const [name, answers] of [
    ['task', heldOut(firingDetections, (detections) => groupedFolds(detections, ({ group }) => group, FOLDS))],
    ['set', heldOut(firingDetections, (detections) => setsLeftOut(detections, ({ set }) => set))],
  ] as const)
    console.log(`calibration error with the ${name} left out: ${errorOf(firingDetections, answers).toFixed(3)}`);
}

function fileOf(type: string): URL {
  return new URL(`${type}/calibration.generated.json`, TARGET);
}

function errorOf(
  firingDetections: readonly RunDetection[],
  answers: ReadonlyMap<string, readonly HeldOutConfidence[]>,
): number {
  const outcomes = new Map(firingDetections.map(({ id, hasFailed }) => [id, hasFailed]));
  const judged = [...answers].flatMap(([id, own]) =>
    own.map(({ confidence }) => ({ score: confidence, label: outcomes.get(id)! })),
  );
  return expectedCalibrationError(judged);
}

function print(type: string, calibration: Calibration | null, firingDetections: readonly RunDetection[]): void {
  const own = firingDetections.filter((detection) => detection.type === type);
  const failed = own.filter(({ hasFailed }) => hasFailed).length;
  const result = calibration === null ? 'too few, not calibrated' : `fires from ${calibration.threshold}`;
  console.log(`${type}: ${failed} of ${own.length} detections on runs that failed; ${result}`);
}

if (import.meta.main) main(process.argv.slice(2));
