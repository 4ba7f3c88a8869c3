import { expect, test } from 'vitest';
import { foldOf, groupedFolds, setLeftOut } from './grouped-folds.ts';

const items = Array.from({ length: 200 }, (_, index) => ({
  id: index,
  group: `task ${index % 50}`,
  set: `s${index % 3}`,
}));
const groupOf = ({ group }: (typeof items)[number]) => group;

/** Groups on both sides of a split, which must not exist. */
function leakedGroups(splits: readonly { train: typeof items; test: typeof items }[]): string[] {
  return splits.flatMap(({ train, test }) => {
    const seen = new Set(train.map(groupOf));
    return test.map(groupOf).filter((group) => seen.has(group));
  });
}

test('each item is tested once, and no group is on both sides', () => {
  const splits = groupedFolds(items, groupOf, 5);
  expect(splits.flatMap((split) => split.test.map(({ id }) => id)).sort((a, b) => a - b)).toEqual(
    items.map(({ id }) => id),
  );
  expect(splits.every(({ train, test }) => train.length > 0 && test.length > 0)).toBe(true);
  expect(leakedGroups(splits)).toEqual([]);
});

test('a split by items instead of groups is detected', () => {
  const splitByItems = groupedFolds(items, ({ id }) => String(id), 5);
  expect(leakedGroups(splitByItems).length).toBeGreaterThan(0);
});

test('the fold depends only on the group', () => {
  const fold = foldOf('task 7', 5);
  const [without] = [items.filter(({ id }) => id !== 3)];
  expect(groupedFolds(without!, groupOf, 5)[fold]!.test.some(({ group }) => group === 'task 7')).toBe(true);
  expect(new Set(Array.from({ length: 20 }, (_, seed) => foldOf('task 7', 5, seed))).size).toBeGreaterThan(1);
});

test('a set is left out completely', () => {
  const splits = setLeftOut(items, ({ set }) => set);
  expect(splits.map(({ set }) => set)).toEqual(['s0', 's1', 's2']);
  expect(
    splits.every(
      ({ set, train, test }) => train.every((item) => item.set !== set) && test.every((item) => item.set === set),
    ),
  ).toBe(true);
});
