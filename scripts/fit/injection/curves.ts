import type { ProbabilityCurve } from '../../../src/detectors/_models/calibration-curve.ts';
import { FALSE_ALARM_LEVELS } from '../../../src/detectors/injection/false-alarm-scale.ts';

/** A raw score of an ordinary text, with its set. */
export interface BenignScore {
  set: string;
  raw: number;
}

/** End of the scale, in raw units above the highest score of an ordinary text. */
const HEADROOM = 4;

/** A common scale of both channels: one ordinary text in a hundred reaches 0.5, and no ordinary text of the data reaches 0.85. */
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
