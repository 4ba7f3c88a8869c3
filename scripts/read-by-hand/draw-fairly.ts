import { randomInteger, seededRandom } from '../../test/support/random.ts';

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
  const groups = shuffled([...Map.groupBy(items, groupOf).values()], random).map((group) => shuffled(group, random));
  const longest = Math.max(0, ...groups.map((group) => group.length));
  const byTurns = Array.from({ length: longest }, (_, turn) => groups.flatMap((group) => group.slice(turn, turn + 1)));
  return byTurns.flat().slice(0, Math.max(0, count));
}

function shuffled<Item>(items: readonly Item[], random: () => number): Item[] {
  const left = [...items];
  return Array.from({ length: left.length }, () => left.splice(randomInteger(random, left.length), 1)).flat();
}
