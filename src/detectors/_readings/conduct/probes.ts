import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { type Attempt, attemptsIn } from './attempts.ts';

/** An attempt that occurs at least twice in the run with the same tool and arguments, by any agent. */
export interface Probe {
  runs: readonly [Attempt, Attempt, ...Attempt[]];
  /** Positions among all attempts of the run. */
  at: readonly number[];
}

/** Probes ordered by first attempt. Attempts without a recorded result are omitted. */
export const probes = memoizeByRef((trace: Trace): readonly Probe[] => {
  const answered = [...attemptsIn(trace).entries()].filter(([, { result }]) => result !== '');
  return [...Map.groupBy(answered, ([, { by, request: key }]) => `${by}\n${key}`).values()].flatMap((group) => {
    const [first, second, ...others] = group.map(([, attempt]) => attempt);
    if (first === undefined || second === undefined) return [];
    return [{ runs: [first, second, ...others], at: group.map(([position]) => position) }];
  });
});

/** Whether every result of a probe is the same, apart from times, places and the echo of the call. */
export function isConstant({ runs }: Probe): boolean {
  return runs.every(({ answer }) => answer === runs[0].answer);
}

/** Attempts between two positions that may have changed something, without those of the probed tool, in order. */
export function changesBetween(attempts: readonly Attempt[], { by }: Attempt, from: number, to: number): Attempt[] {
  return attempts.slice(from + 1, to).filter((one) => !one.isLookup && one.hasFailed !== true && one.by !== by);
}
