import type { TraceColumns } from './columns.ts';

/** A stretch in which no step without children runs and no step starts or ends. Microseconds. */
export interface IdleGap {
  from: number;
  to: number;
}

/** Gaps longer than this part of the run are compressed. */
const MIN_PART = 0.1;
/** Part of the run that each compressed gap takes on the axis. */
const SHOWN_PART = 0.02;

/** Slices of the run by which its steps are grouped. A compressed gap is longer than a slice. */
const SLICES = 40;

/**
 * In order of time; at most nine, as each is longer than a tenth of the run. Linear time, without sorting: a gap cannot lie
 * between two steps that start in one slice, so the first start and the last end of each slice are enough.
 */
export function idleGaps(columns: TraceColumns, shownEnd: Float64Array): IdleGap[] {
  const { firstStart, lastEnd } = busySlices(columns, shownEnd);
  const least = columns.lastTime * MIN_PART;
  const gaps: IdleGap[] = [];
  let reach = 0;
  for (let slice = 0; slice < SLICES; slice++) {
    const start = firstStart[slice]!;
    if (start === Number.POSITIVE_INFINITY) continue;
    if (start - reach > least) gaps.push({ from: reach, to: start });
    reach = Math.max(reach, lastEnd[slice]!);
  }
  return gaps;
}

/** First start and last end of what starts in each slice: steps without children as they run, the others as two points. */
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

/** Maps times to places on an axis from 0 to 1, and back. Both directions rise, so order on the axis is order in time. */
export interface TimeScale {
  from: number;
  to: number;
  gaps: readonly IdleGap[];
  /** Below 0 or above 1 outside the range. */
  toUnit(time: number): number;
  toTime(unit: number): number;
}

/**
 * Linear, except that gaps inside the range are drawn short.
 * @param gaps in order of time; empty for true time
 */
export function timeScale(from: number, to: number, gaps: readonly IdleGap[]): TimeScale {
  // A range without length is shown as one microsecond.
  const last = Math.max(to, from + 1);
  const inside = gaps.flatMap((gap) => {
    const cut = { from: Math.max(gap.from, from), to: Math.min(gap.to, last) };
    return cut.to > cut.from ? [cut] : [];
  });
  const knots = knotsOf(from, last, inside);
  return {
    from,
    to: last,
    gaps: inside,
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
  // A range that is nothing but one gap keeps its length.
  const busy = to - from - idle;
  const gapPart = busy <= 0 ? 1 / Math.max(1, gaps.length) : SHOWN_PART;
  const perBusy = busy <= 0 ? 0 : (1 - gapPart * gaps.length) / busy;
  const knots: Knot[] = [{ time: from, unit: 0 }];
  for (const gap of gaps) {
    const last = knots.at(-1)!;
    const unit = last.unit + (gap.from - last.time) * perBusy;
    if (gap.from > last.time) knots.push({ time: gap.from, unit });
    knots.push({ time: gap.to, unit: unit + gapPart });
  }
  if (to > knots.at(-1)!.time) knots.push({ time: to, unit: 1 });
  return knots;
}

/** Interpolates linearly between the knots, and extrapolates with the slope of the outermost pair. */
function interpolate(knots: readonly Knot[], fromAxis: keyof Knot, toAxis: keyof Knot, value: number): number {
  let at = 1;
  while (at < knots.length - 1 && value > knots[at]![fromAxis]) at++;
  const [one, other] = [knots[at - 1]!, knots[at]!];
  return one[toAxis] + ((value - one[fromAxis]) / (other[fromAxis] - one[fromAxis])) * (other[toAxis] - one[toAxis]);
}

const STEPS = [1, 2, 5];
const MINUTE = 60_000_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** From ten seconds on, times are read in minutes, hours and days. */
const CLOCK_STEPS = [
  ...[1 / 6, 1 / 4, 1 / 2, 1, 2, 5, 10, 15, 30].map((minutes) => minutes * MINUTE),
  ...[1, 2, 3, 6, 12].map((hours) => hours * HOUR),
  ...[1, 2, 7].map((days) => days * DAY),
];

/** Round times inside the range and outside its gaps, at most `most` of them. */
export function ticksOf(scale: TimeScale, most: number): number[] {
  const busy = scale.gaps.reduce((sum, gap) => sum - (gap.to - gap.from), scale.to - scale.from);
  const distance = roundUp(Math.max(1, busy) / Math.max(1, most));
  const ticks: number[] = [];
  let from = scale.from;
  for (const gap of [...scale.gaps, { from: scale.to, to: scale.to }]) {
    const first = Math.ceil(from / distance) * distance;
    for (let time = first; time <= gap.from && ticks.length < most; time += distance) ticks.push(time);
    from = gap.to;
  }
  return ticks;
}

function roundUp(least: number): number {
  if (least > CLOCK_STEPS[0]! && least <= CLOCK_STEPS.at(-1)!) return CLOCK_STEPS.find((step) => step >= least)!;
  const power = 10 ** Math.floor(Math.log10(least));
  return (STEPS.find((step) => step * power >= least) ?? 10) * power;
}
