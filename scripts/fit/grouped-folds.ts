import { createHash } from 'node:crypto';

/** The fold of a group, determined by its name alone: stable when records are added, removed or reordered. */
export function foldOf(group: string, folds: number, seed = 0): number {
  return createHash('sha256').update(`${seed}\n${group}`).digest().readUInt32BE(0) % folds;
}

export interface Split<Item> {
  fold: number;
  train: Item[];
  test: Item[];
}

/** Every item is tested once, by a model fitted without its group. */
export function groupedFolds<Item>(
  items: readonly Item[],
  groupOf: (item: Item) => string,
  folds = 5,
  seed = 0,
): Split<Item>[] {
  const placed = items.map((item) => ({ item, fold: foldOf(groupOf(item), folds, seed) }));
  return Array.from({ length: folds }, (_, fold) => ({
    fold,
    train: placed.filter((one) => one.fold !== fold).map(({ item }) => item),
    test: placed.filter((one) => one.fold === fold).map(({ item }) => item),
  }));
}

/** One split for each set: its items are tested, all others are used for training. */
export function setLeftOut<Item>(
  items: readonly Item[],
  setOf: (item: Item) => string,
): { set: string; train: Item[]; test: Item[] }[] {
  const sets = [...new Set(items.map(setOf))].sort();
  return sets.map((set) => ({
    set,
    train: items.filter((item) => setOf(item) !== set),
    test: items.filter((item) => setOf(item) === set),
  }));
}
