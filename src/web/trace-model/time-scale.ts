import type { TraceColumns } from './columns.ts';

/** A period in which no leaf step runs and no step starts or ends, in microseconds. */
export interface IdleGap {
  from: number;
  to: number;
}

/** Gaps longer than this part of the run are compressed. */
const MIN_GAP_PART = 0.1;
/** Part of the axis that each compressed gap takes. */
const COMPRESSED_PART = 0.02;

/** Number of time slices that group steps. A compressed gap is longer than a slice. */
const SLICES = 40;

/**
 * In order of time; at most nine, because each is longer than a tenth of the run. Linear time, without sorting: there is
 * no gap between two steps that start in one slice, so the first start and the last end of each slice are sufficient.
 */
export function idleGaps(columns: TraceColumns, shownEnd: Float64Array): IdleGap[] {
  const { firstStart, lastEnd } = busySlices(columns, shownEnd);
  const minGap = columns.lastTime * MIN_GAP_PART;
  const gaps: IdleGap[] = [];
  let busyUntil = 0;
  for (let slice = 0; slice < SLICES; slice++) {
    const start = firstStart[slice]!;
    if (start === Number.POSITIVE_INFINITY) continue;
    if (start - busyUntil > minGap) gaps.push({ from: busyUntil, to: start });
    busyUntil = Math.max(busyUntil, lastEnd[slice]!);
  }
  return gaps;
}

/** First start and last end in each slice. A leaf step counts as a period, any other step as its two end points. */
function busySlices(columns: TraceColumns, shownEnd: Float64Array) {
  const { start, firstChild, total, lastTime } = columns;
  const firstStart = new Float64Array(SLICES).fill(Number.POSITIVE_INFINITY);
  const lastEnd = new Float64Array(SLICES);
  const add = (from: number, to: number) => {
    const slice = lastTime > 0 ? Math.min(SLICES - 1, Math.floor((from / lastTime) * SLICES)) : 0;
    if (from < firstStart[slice]!) firstStart[slice] = from;
    if (to > lastEnd[slice]!) lastEnd[slice] = to;
  };
  for (let step = 0; step < total; step++) {
    const from = start[step]!;
    if (Number.isNaN(from)) continue;
    const isLeaf = firstChild[step] === -1;
    add(from, isLeaf ? shownEnd[step]! : from);
    if (!isLeaf) add(shownEnd[step]!, shownEnd[step]!);
  }
  return { firstStart, lastEnd };
}

/** Maps times to positions on an axis from 0 to 1, and back. Both mappings increase, so the order is kept. */
export interface TimeScale {
  from: number;
  to: number;
  gaps: readonly IdleGap[];
  /** A position from 0 to 1; outside of that for times outside the range. */
  toUnit(time: number): number;
  toTime(unit: number): number;
}

/**
 * Linear, except that gaps inside the range are compressed.
 * @param gaps in order of time; empty for a linear axis
 */
export function timeScale(from: number, to: number, gaps: readonly IdleGap[]): TimeScale {
  // An empty range is shown as one microsecond.
  const last = Math.max(to, from + 1);
  const visibleGaps = gaps.flatMap((gap) => {
    const clipped = { from: Math.max(gap.from, from), to: Math.min(gap.to, last) };
    return clipped.to > clipped.from ? [clipped] : [];
  });
  const knots = knotsOf(from, last, visibleGaps);
  return {
    from,
    to: last,
    gaps: visibleGaps,
    toUnit: (time) => interpolate(knots, 'time', 'unit', time),
    toTime: (unit) => interpolate(knots, 'unit', 'time', unit),
  };
}

interface Knot {
  time: number;
  unit: number;
}

function knotsOf(from: number, to: number, gaps: readonly IdleGap[]): Knot[] {
  const idle = gaps.reduce((sum, gap) => sum + gap.to - gap.from, 0);
  // A range inside one gap is not compressed.
  const busy = to - from - idle;
  const gapPart = busy <= 0 ? 1 / Math.max(1, gaps.length) : COMPRESSED_PART;
  const unitPerTime = busy <= 0 ? 0 : (1 - gapPart * gaps.length) / busy;
  const knots: Knot[] = [{ time: from, unit: 0 }];
  for (const gap of gaps) {
    const last = knots.at(-1)!;
    const unit = last.unit + (gap.from - last.time) * unitPerTime;
    if (gap.from > last.time) knots.push({ time: gap.from, unit });
    knots.push({ time: gap.to, unit: unit + gapPart });
  }
  if (to > knots.at(-1)!.time) knots.push({ time: to, unit: 1 });
  return knots;
}

/** Interpolates linearly between the knots, and extrapolates with the slope of the outermost pair. */
function interpolate(knots: readonly Knot[], fromAxis: keyof Knot, toAxis: keyof Knot, value: number): number {
  let index = 1;
  while (index < knots.length - 1 && value > knots[index]![fromAxis]) index++;
  const [left, right] = [knots[index - 1]!, knots[index]!];
  return (
    left[toAxis] + ((value - left[fromAxis]) / (right[fromAxis] - left[fromAxis])) * (right[toAxis] - left[toAxis])
  );
}

const STEPS = [1, 2, 5];
const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** Tick intervals from ten seconds upwards. */
const CLOCK_STEPS = [
  ...[1 / 6, 1 / 4, 1 / 2, 1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7].map((days) => days * DAY),
];

/** Round times inside the range and outside its gaps, at most `maxTicks`. */
export function ticksOf(scale: TimeScale, maxTicks: number): number[] {
  const busy = scale.gaps.reduce((sum, gap) => sum - (gap.to - gap.from), scale.to - scale.from);
  const interval = roundUp(Math.max(1, busy) / Math.max(1, maxTicks));
  const ticks: number[] = [];
  let from = scale.from;
  for (const gap of [...scale.gaps, { from: scale.to, to: scale.to }]) {
    const first = Math.ceil(from / interval) * interval;
    for (let time = first; time <= gap.from && ticks.length < maxTicks; time += interval) ticks.push(time);
    from = gap.to;
  }
  return ticks;
}

function roundUp(minInterval: number): number {
  if (minInterval > CLOCK_STEPS[0]! && minInterval <= CLOCK_STEPS.at(-1)!)
    return CLOCK_STEPS.find((step) => step >= minInterval)!;
  const power = 10 ** Math.floor(Math.log10(minInterval));
  return (STEPS.find((step) => step * power >= minInterval) ?? 10) * power;
}
