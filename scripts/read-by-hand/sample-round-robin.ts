import { seededRandom, shuffled } from '../../test/support/random.ts';

/**
 * Samples `count` items without repetition: one of each group in turn, in a random order of groups and items. The same
 * seed and items give the same sample.
 */
export function sampleRoundRobin<Item>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  count: number,
  seed: number,
): Item[] {
  const random = seededRandom(seed);
  const groups = shuffled(random, [...Map.groupBy(items, groupOf).values()]).map((group) => shuffled(random, group));
  const longest = Math.max(0, ...groups.map((group) => group.length));
  const byTurns = Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1)));
  return byTurns.flat().slice(0, Math.max(0, count));
}
