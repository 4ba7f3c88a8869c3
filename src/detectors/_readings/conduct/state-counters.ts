import { isJsonObject, type Json } from '../../../core/json.ts';
import type { StateSnapshot, Trace } from '../../../core/trace.ts';

/** The numbers in the states of one thread that only count rounds. */
export interface Counters {
  /**
   * Whether the change from `before` to `now` is that of a counter, a countdown or a clock. A number that indexes a list of
   * the state is not a counter: it selects the next item.
   */
  isCounting(before: Json | undefined, now: Json, path: string): boolean;
}

export function countersIn({ isSettled, status }: Trace, snapshots: readonly StateSnapshot[]): Counters {
  const lengths = steadyLengths(snapshots);
  const [first, last] = [snapshots[0], snapshots.at(-1)].map((snapshot) => numbersOf(snapshot?.state ?? null));
  const hasEndedWell = isSettled && status !== 'error';

  /**
   * Whether a number iterates over a list. In a run that ended well it reaches the end of the list; in any other run it may
   * stop earlier.
   */
  function iteratesOverList(now: number, path: string): boolean {
    const start = first!.get(path) ?? now;
    const end = last!.get(path) ?? now;
    return [...lengths].some((length) => {
      if (!hasEndedWell) return Math.max(start, end, now) <= length;
      return end >= start
        ? end === length || end === length - 1
        : end <= 1 && (start === length || start === length - 1);
    });
  }

  return {
    isCounting(before, now, path) {
      if (typeof before !== 'number' || typeof now !== 'number') return false;
      if (isClock(before, now)) return true;
      return Number.isInteger(before) && Math.abs(now - before) === 1 && !iteratesOverList(now, path);
    },
  };
}

/** Lengths of lists with at least two items that are the same in every state. Message histories grow. */
function steadyLengths(snapshots: readonly StateSnapshot[]): ReadonlySet<number> {
  const known = new Map<string, number | null>();
  for (const { state } of snapshots)
    for (const [path, length] of listsOf(state))
      known.set(path, known.has(path) && known.get(path) !== length ? null : length);
  return new Set([...known.values()].filter((length) => length !== null && length > 1) as number[]);
}

function listsOf(state: Json, path = '', found: [string, number][] = []): [string, number][] {
  if (Array.isArray(state)) found.push([path, state.length]);
  else if (isJsonObject(state))
    for (const [name, value] of Object.entries(state)) listsOf(value, `${path}/${name}`, found);
  return found;
}

function numbersOf(state: Json, path = '', found = new Map<string, number>()): Map<string, number> {
  if (typeof state === 'number') found.set(path, state);
  else if (isJsonObject(state))
    for (const [name, value] of Object.entries(state)) numbersOf(value, `${path}/${name}`, found);
  return found;
}

/** 2014 to 2039 as Unix time in seconds; milliseconds, microseconds and nanoseconds are scaled by powers of a thousand. */
const [EARLIEST, LATEST] = [1.4e9, 2.2e9];
const DAY_SECONDS = 86_400;

/** Whether two numbers are clock readings within one day, the second after the first. */
function isClock(before: number, now: number): boolean {
  const unit = [1, 1e3, 1e6, 1e9].find((of) => before / of >= EARLIEST && before / of <= LATEST);
  return unit !== undefined && now > before && (now - before) / unit <= DAY_SECONDS;
}
