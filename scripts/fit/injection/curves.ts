import type { ProbabilityCurve } from '../../../src/detectors/_models/calibration-curve.ts';
import { FALSE_ALARM_LEVELS } from '../../../src/detectors/injection/false-alarm-scale.ts';

/** A raw score of an ordinary text, with the set it counts under. */
export interface BenignScore {
  set: string;
  raw: number;
}

/** Raw units above the highest score of an ordinary text at which the scale ends. */
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
  for (const [level, score] of [...FALSE_ALARM_LEVELS].reverse()) {
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
