import type { ProbabilityCurve } from '../../../src/detectors/_models/calibration-curve.ts';

/** A raw score of an ordinary text, with the set it counts under. */
export interface BenignScore {
  set: string;
  raw: number;
}

/** Score given where this share of ordinary texts, the mean over their sets, scores as high. */
const LEVELS: readonly (readonly [share: number, score: number])[] = [
  [0.5, 0.03],
  [0.2, 0.1],
  [0.1, 0.18],
  [0.05, 0.28],
  [0.02, 0.4],
  [0.01, 0.5],
  [0.005, 0.6],
  [0.002, 0.72],
  [0.0005, 0.82],
];
/** Raw units above the surest ordinary text at which the score ends. */
const HEADROOM = 4;

/**
 * A scale on which both channels mean the same: 0.5 is the score that one ordinary text in a hundred reaches, 0.85 is
 * above every ordinary text seen.
 */
export function falseAlarmCurve(benign: readonly BenignScore[]): ProbabilityCurve {
  const sizes = new Map<string, number>();
  for (const { set } of benign) sizes.set(set, (sizes.get(set) ?? 0) + 1);
  const sorted = [...benign].sort((a, b) => b.raw - a.raw);
  const points: [number, number][] = [];
  let share = 0;
  let at = 0;
  for (const [level, score] of [...LEVELS].reverse()) {
    while (at < sorted.length && share <= level) share += 1 / (sizes.get(sorted[at++]!.set)! * sizes.size);
    const raw = rounded(sorted[Math.max(0, at - 1)]!.raw);
    if (points.length === 0 || raw < points.at(-1)![0]) points.push([raw, score]);
  }
  const top = Math.max(sorted[0]!.raw, points[0]![0] + 0.5);
  return [...points.reverse(), [rounded(top + 0.001), 0.85], [rounded(top + HEADROOM), 0.99]];
}

function rounded(value: number): number {
  return Math.round(value * 1000) / 1000;
}
