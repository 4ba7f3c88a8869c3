import { expect, it } from 'vitest';
import { systemRandom } from './id.ts';
import { createOrderedIds } from './ordered-ids.ts';

it('ids are distinct and sort by creation order', () => {
  let now = 1_000;
  const nextId = createOrderedIds({ now: () => now }, systemRandom);
  const ids = Array.from({ length: 3_000 }, (_, place) => {
    if (place % 1_000 === 999) now += 1;
    return nextId('msg');
  });
  expect(ids).toEqual(ids.toSorted());
  expect(new Set(ids).size).toBe(ids.length);
  expect(ids[0]).toMatch(/^msg_[0-9a-z]{26}$/);
});
