/** Consecutive siblings: `period` of them, repeated. A period of 1 with one repetition is a single step. */
export interface SiblingRun {
  /** Place of the first in the list of siblings. */
  from: number;
  period: number;
  times: number;
}

/** Two repetitions are easy to read as they are; three or more fold. */
const MIN_REPETITIONS = 3;
/** A model call, its tools and an answer: longer cycles are hard to recognise in one row. */
const LONGEST_PERIOD = 4;

/**
 * Splits siblings into single steps and runs of a repeated sequence, in order. Two siblings are alike where `repeat` has
 * the same number, which is never 0. The shortest period that repeats wins. Linear time.
 */
export function foldRepeats(siblings: Int32Array, repeat: Int32Array): SiblingRun[] {
  const runs: SiblingRun[] = [];
  for (let from = 0; from < siblings.length; ) {
    const run = runAt(siblings, repeat, from);
    runs.push(run);
    from += run.period * run.times;
  }
  return runs;
}

function runAt(siblings: Int32Array, repeat: Int32Array, from: number): SiblingRun {
  if (repeat[siblings[from]!] !== 0)
    for (let period = 1; period <= LONGEST_PERIOD; period++) {
      const times = timesOf(siblings, repeat, from, period);
      if (times >= MIN_REPETITIONS) return { from, period, times };
    }
  return { from, period: 1, times: 1 };
}

function timesOf(siblings: Int32Array, repeat: Int32Array, from: number, period: number): number {
  let to = from + period;
  while (to < siblings.length && isAlike(repeat, siblings[to]!, siblings[to - period]!)) to++;
  return Math.floor((to - from) / period);
}

function isAlike(repeat: Int32Array, one: number, other: number): boolean {
  return repeat[one] !== 0 && repeat[one] === repeat[other];
}
