/**
 * Turns the scores of detectors that say how a run went into probabilities, by how labelled runs ended.
 * node scripts/fit/calibration.ts [--data DIR] [--write]
 * `--write` renews `calibration.generated.json` of each of them; `null` stands where labels are too few.
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

/** The confidence of one detection by a fit that has not seen its task, or its set. */
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

/** Of the detectors that are calibrated; one that the rest of the data does not know gets what all others say. */
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
    answer: { type, subtype, span_id: spanId, confidence: model.chanceOf(type, subtype, score) },
  }));
}

/** What fires by default: only that is calibrated. */
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
  const fired = runs.flatMap(({ detections }) => detections.filter(hasFired));
  const base = runs.filter(({ hasFailed }) => hasFailed).length / runs.length;
  const model = fitOutcome(fired);
  for (const type of OUTCOME_DETECTORS) {
    const calibration = calibrationOf(type, fired, model, base);
    print(type, calibration, fired);
    if (args.includes('--write')) writeFileSync(fileOf(type), `${JSON.stringify(calibration, null, 2)}\n`);
  }
  for (const [name, answers] of [
    ['task', heldOut(fired, (detections) => groupedFolds(detections, ({ group }) => group, FOLDS))],
    ['set', heldOut(fired, (detections) => setsLeftOut(detections, ({ set }) => set))],
  ] as const)
    console.log(`calibration error with the ${name} left out: ${errorOf(fired, answers).toFixed(3)}`);
}

function fileOf(type: string): URL {
  return new URL(`${type}/calibration.generated.json`, TARGET);
}

function errorOf(fired: readonly RunDetection[], answers: ReadonlyMap<string, readonly HeldOutConfidence[]>): number {
  const outcomes = new Map(fired.map(({ id, hasFailed }) => [id, hasFailed]));
  const judged = [...answers].flatMap(([id, own]) =>
    own.map(({ confidence }) => ({ score: confidence, label: outcomes.get(id)! })),
  );
  return expectedCalibrationError(judged);
}

function print(type: string, calibration: Calibration | null, fired: readonly RunDetection[]): void {
  const own = fired.filter((detection) => detection.type === type);
  const failed = own.filter(({ hasFailed }) => hasFailed).length;
  const result = calibration === null ? 'too few, not calibrated' : `fires from ${calibration.threshold}`;
  console.log(`${type}: ${failed} of ${own.length} detections on runs that failed; ${result}`);
}

if (import.meta.main) main(process.argv.slice(2));
