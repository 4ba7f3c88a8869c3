import { expect, it } from 'vitest';
import { lazy, memoizeByRef } from './memoize.ts';

it('a value is computed once, on first access', () => {
  let made = 0;
  const value = lazy(() => {
    made += 1;
    return null;
  });
  expect(made).toBe(0);
  expect([value(), value(), made]).toEqual([null, null, 1]);
});

it('the value of each object is computed once, also if it is undefined', () => {
  const asked: object[] = [];
  const of = memoizeByRef((thing: { size: number }) => {
    asked.push(thing);
    return thing.size === 0 ? undefined : thing.size;
  });
  const [empty, other] = [{ size: 0 }, { size: 2 }];
  expect([of(empty), of(other), of(empty), of(other)]).toEqual([undefined, 2, undefined, 2]);
  expect(asked).toEqual([empty, other]);
});
