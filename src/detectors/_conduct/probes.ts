import type { Trace } from '../../core/trace.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { type Attempt, attemptsIn } from './attempts.ts';

/** An attempt that was made at least twice with the same tool and arguments, by anyone in the run, in order. */
export interface Probe {
  runs: readonly [Attempt, Attempt, ...Attempt[]];
  /** Their positions among all attempts of the run. */
  at: readonly number[];
}

/** Ordered by their first attempt. Attempts without a recorded result are omitted. */
export const probes = memoizeByRef((trace: Trace): readonly Probe[] => {
  const answered = [...attemptsIn(trace).entries()].filter(([, { result }]) => result !== '');
  return [...Map.groupBy(answered, ([, { by, request: asked }]) => `${by}\n${asked}`).values()].flatMap((group) => {
    const [first, second, ...others] = group.map(([, attempt]) => attempt);
    if (first === undefined || second === undefined) return [];
    return [{ runs: [first, second, ...others], at: group.map(([position]) => position) }];
  });
});

/** Whether every result of a probe says the same, apart from times, places and the echo of what was asked. */
export function isConstant({ runs }: Probe): boolean {
  return runs.every(({ answer }) => answer === runs[0].answer);
}

/** Different attempts between two positions that may have changed something, apart from those with the probed tool. */
export function changesBetween(attempts: readonly Attempt[], { by }: Attempt, from: number, to: number): Attempt[] {
  const made = attempts.slice(from + 1, to).filter((one) => !one.isLookup && one.hasFailed !== true && one.by !== by);
  return [...new Map(made.map((one) => [`${one.by}\n${one.request}`, one])).values()];
}
