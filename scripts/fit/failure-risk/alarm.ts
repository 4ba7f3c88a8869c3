import type { RiskModelFile } from '../../../src/detectors/_attribution/risk-model.ts';
import { riskScore } from '../../../src/detectors/_attribution/risk-model.ts';
import type { RunKind } from '../../../src/detectors/_attribution/run-kind.ts';
import type { ProbabilityCurve } from '../../../src/detectors/_models/calibration-curve.ts';
import { groupedFolds } from '../grouped-folds.ts';
import { plattScaling } from '../isotonic.ts';
import { asRiskModel, fitRiskModel } from './fit-risk-models.ts';
import type { JudgedRun } from './judged-runs.ts';

/**
 * Kinds whose failures are told well enough to raise alarms, and the share of runs that went well which may carry
 * one. Of tool runs there are many more that went well, so that a small share weighs as much.
 */
export const ALARM_SHARES: Readonly<Partial<Record<RunKind, number>>> = { conversation: 0.045, tools: 0.01 };

export interface RatedRun {
  run: JudgedRun;
  /** Comparable among runs of one kind. */
  score: number;
}

export interface PlattCurve {
  slope: number;
  offset: number;
}

const FOLDS = 5;

/** The kind's model with its curve and alarm, both from scores of runs that were not fitted on. */
export function withAlarm(runs: readonly JudgedRun[], kind: RunKind, seed: number): RiskModelFile {
  const own = runs.filter(({ row }) => row.kind === kind);
  const held = groupedFolds(own, ({ group }) => group, FOLDS, seed).flatMap(({ train, test }) =>
    rated(test, fitRiskModel(train, kind, seed + 1)),
  );
  const curve = plattOf(held);
  return { ...fitRiskModel(runs, kind, seed + 1), curve: asCurve(curve), alarm: alarmScore(held, kind, curve) };
}

export function rated(runs: readonly JudgedRun[], file: RiskModelFile): RatedRun[] {
  const model = asRiskModel(file);
  return runs.map((run) => ({ run, score: riskScore(model, run.row) }));
}

export function plattOf(held: readonly RatedRun[]): PlattCurve {
  const fitted = plattScaling(held.map(({ run, score }) => ({ score, label: run.hasFailed ? 1 : 0 })));
  return { ...fitted, slope: Math.max(0, fitted.slope) };
}

export function chance({ slope, offset }: PlattCurve, score: number): number {
  return 1 / (1 + Math.exp(-(slope * score + offset)));
}

/** A straight enough curve of points, as the models ship it. */
export function asCurve(curve: PlattCurve): ProbabilityCurve {
  const points = Array.from({ length: 33 }, (_, nth) => (nth - 16) / 2);
  return points.map((score) => [score, Number(chance(curve, score).toFixed(4))] as const);
}

/**
 * The lowest score at which no more of the runs that went well than allowed are expected to carry an alarm. Expected
 * by the curve: counting the few good runs that score highest would hang on two or three of them.
 */
export function alarmScore(held: readonly RatedRun[], kind: RunKind, curve: PlattCurve): number | null {
  const share = ALARM_SHARES[kind];
  if (share === undefined || curve.slope === 0) return null;
  const scores = held.map(({ score }) => score).sort((a, b) => b - a);
  const allowed = share * scores.reduce((sum, score) => sum + 1 - chance(curve, score), 0);
  let expected = 0;
  let lowest: number | null = null;
  for (const score of scores) {
    expected += 1 - chance(curve, score);
    if (expected > allowed) break;
    lowest = score;
  }
  return lowest === null ? null : Number(lowest.toFixed(4));
}
