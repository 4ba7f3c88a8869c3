/** Milliseconds of processor time; what other programs take does not count. */
function timeOf(act: () => void): number {
  const started = process.cpuUsage();
  act();
  const { user, system } = process.cpuUsage(started);
  return (user + system) / 1000;
}

/** Linear work takes 4 times as long for 4 times the text, quadratic work 16 times. */
const TIMES_LONGER = 4;
export const MOST_GROWTH = 9;
/** Shorter times say little: the compiler and the garbage collector take as much. */
const LEAST_MS = 15;
const MOST_TRIES = 3;

/**
 * How processor time grows when the text becomes four times as long: about 4 is linear, about 16 quadratic. What looks
 * too much is measured again, since other programs use the same caches; the quickest counts.
 */
export function growthOfTime(act: (length: number) => void, length: number): number {
  const before = Math.max(
    LEAST_MS,
    timeOf(() => act(length)),
  );
  let after = Number.POSITIVE_INFINITY;
  for (let left = MOST_TRIES; left > 0 && after > MOST_GROWTH * before; left -= 1)
    after = Math.min(
      after,
      timeOf(() => act(length * TIMES_LONGER)),
    );
  return after / before;
}
