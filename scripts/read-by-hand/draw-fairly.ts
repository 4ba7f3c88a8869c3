import { seededRandom, shuffled } from '../../test/support/random.ts';

/**
 * Draws `count` items without repetition: by turns from the groups, in a random order of groups and items. The same
 * seed and items give the same draw.
 */
export function drawFairly<Item>(
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
