/** Consecutive siblings: `period` of them, repeated. A period of 1 with one repetition is a single step. */
export interface SiblingRun {
  /** Index of the first one in the list of siblings. */
  from: number;
  period: number;
  times: number;
}

/** Two repetitions are easy to read unfolded; three or more fold. */
const MIN_REPETITIONS = 3;
/** Room for a model call, its tools and a response. Longer cycles are hard to recognise in one row. */
const MAX_PERIOD = 4;

/**
 * Splits siblings into single steps and runs of a repeated sequence, in order. Two siblings are equal if `repeat` has the
 * same number other than 0 for both. The shortest period is preferred. Linear time.
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
    for (let period = 1; period <= MAX_PERIOD; period++) {
      const times = repetitionsOf(siblings, repeat, from, period);
      if (times >= MIN_REPETITIONS) return { from, period, times };
    }
  return { from, period: 1, times: 1 };
}

function repetitionsOf(siblings: Int32Array, repeat: Int32Array, from: number, period: number): number {
  let to = from + period;
  while (to < siblings.length && isRepeat(repeat, siblings[to]!, siblings[to - period]!)) to++;
  return Math.floor((to - from) / period);
}

function isRepeat(repeat: Int32Array, a: number, b: number): boolean {
  return repeat[a] !== 0 && repeat[a] === repeat[b];
}
