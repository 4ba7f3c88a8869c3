/** Numbers from 0 up to 1, the same ones for the same seed (mulberry32 by Tommy Ettinger). */
export type Random = () => number;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A whole number from 0 to `below` - 1. */
export function randomInteger(random: Random, below: number): number {
  return Math.floor(random() * below);
}

/** One of the items; the list must not be empty. */
export function pick<T>(random: Random, items: readonly T[]): T {
  return items[randomInteger(random, items.length)] as T;
}

/** The items in a random order; the first n of them are a draw of n without repetition. */
export function shuffled<T>(random: Random, items: readonly T[]): T[] {
  const left = [...items];
  return Array.from({ length: left.length }, () => left.splice(randomInteger(random, left.length), 1)).flat();
}
