import type { Detection } from '../../core/detection.ts';
import type { TraceStatus } from '../../core/trace.ts';

export type Grade = 'A' | 'B' | 'C' | 'D' | 'F';

/** Points that a certain detection subtracts; an observation subtracts none. */
const POINTS = { critical: 40, warning: 20, info: 5, observation: 0 } as const;
const FAILED_RUN_POINTS = 15;

/** 0–100: severity × confidence of the detections, and the outcome of the run; null while it runs. */
export function qualityScore(status: TraceStatus, detections: readonly Detection[]): number | null {
  if (status === 'running') return null;
  const lost = detections.reduce((sum, { severity, confidence }) => sum + POINTS[severity] * confidence, 0);
  const score = 100 - lost - (status === 'error' ? FAILED_RUN_POINTS : 0);
  return Math.max(0, Math.round(score * 10) / 10);
}

/** The lowest score of each grade, the best grade first. */
const LOWEST_SCORES: readonly [Grade, number][] = [
  ['A', 90],
  ['B', 80],
  ['C', 70],
  ['D', 60],
  ['F', 0],
];

export function gradeOf(score: number): Grade {
  return LOWEST_SCORES.find(([, lowest]) => score >= lowest)?.[0] ?? 'F';
}

/** From inclusive, below exclusive. */
export function scoresOfGrade(grade: Grade): { from: number; below: number } {
  const at = LOWEST_SCORES.findIndex(([name]) => name === grade);
  return { from: LOWEST_SCORES[at]![1], below: LOWEST_SCORES[at - 1]?.[1] ?? Number.POSITIVE_INFINITY };
}
