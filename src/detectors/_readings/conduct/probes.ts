import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { type Attempt, attemptsIn } from './attempts.ts';
import { isDelegatingTool, isTransferTool } from './handoffs.ts';

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

/** The result of a check is short; a long result is data that was read again. */
const MAX_RESULT_LENGTH = 300;
const MIN_RESULTS = 3;
/** Largest number of attempts after the last result. A further attempt may have checked something else. */
const MAX_ATTEMPTS_AFTER = 1;

/**
 * Whether a probe is a check that returned the same before and after changes by at least two tools, and that nothing
 * replaced. One tool on one target after the other is work on a list, and the check may report success.
 *
 * @param isClosing whether an attempt only ends the run
 */
export function isConstantCheck(trace: Trace, probe: Probe, isClosing: (attempt: Attempt) => boolean): boolean {
  const { runs, at } = probe;
  const attempts = attemptsIn(trace);
  const [first] = runs;
  const last = runs.at(-1)!;
  // A handoff between agents checks nothing and changes nothing.
  const isHandoff = ({ by }: Attempt) => isTransferTool(trace, by) || isDelegatingTool(by);
  if (isHandoff(first) || runs.length < MIN_RESULTS || first.result.length > MAX_RESULT_LENGTH || !isConstant(probe))
    return false;
  const changes = at
    .slice(1)
    .map((to, nth) => changesBetween(attempts, first, at[nth]!, to).filter((one) => !isHandoff(one)));
  if (changes.filter((made) => made.length > 0).length < MIN_RESULTS - 1) return false;
  if (new Set(changes.flat().map(({ by }) => by)).size < 2) return false;
  const after = attempts.slice(at.at(-1)! + 1).filter((one) => !isClosing(one));
  return after.length <= MAX_ATTEMPTS_AFTER && after.every((one) => one.isLookup && !isOtherAnswer(one, last));
}

/** Whether the same tool returned something else at the end, with other arguments: the check was replaced. */
function isOtherAnswer(one: Attempt, last: Attempt): boolean {
  return one.by === last.by && one.answer !== last.answer;
}
