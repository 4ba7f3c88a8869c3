import fc from 'fast-check';
import { expect, test } from 'vitest';
import { renderedRows, scrollToPresent, scrollToShow } from './row-viewport.ts';

const viewport = { scrollTop: 280, height: 280, rowHeight: 28, total: 1_000 };

test.each([
  ['in the middle', viewport, [4, 26]],
  ['at the top', { ...viewport, scrollTop: 0 }, [0, 16]],
  ['at the end', { ...viewport, scrollTop: 27_720 }, [984, 1_000]],
  ['between two rows', { ...viewport, scrollTop: 294 }, [4, 27]],
  ['of a list that became shorter than its scroll position', { ...viewport, total: 3 }, [3, 3]],
  ['of an empty list', { ...viewport, scrollTop: 0, total: 0 }, [0, 0]],
])('rows %s', (_name, viewportState, [from, to]) => {
  expect(renderedRows(viewportState)).toEqual({ from, to });
});

test('every visible row is rendered, and at most twelve more', () => {
  fc.assert(
    fc.property(fc.nat(30_000), fc.integer({ min: 28, max: 2_000 }), fc.nat(1_200), (scrollTop, height, total) => {
      const { from, to } = renderedRows({ scrollTop, height, rowHeight: 28, total });
      const first = Math.min(total, Math.floor(scrollTop / 28));
      const last = Math.min(total, Math.ceil((scrollTop + height) / 28));
      expect(from).toBeLessThanOrEqual(first);
      expect(to).toBeGreaterThanOrEqual(last);
      expect(to - from).toBeLessThanOrEqual(last - first + 12);
    }),
    { seed: 20261123 },
  );
});

test.each([
  ['a row above', 3, 84],
  ['a visible row', 12, 280],
  ['a row below', 30, 588],
])('scrollToShow moves as little as possible to show %s', (_name, row, expected) => {
  expect(scrollToShow(row, viewport)).toBe(expected);
});

test('scrollToPresent puts a row a third below the top', () => {
  expect(scrollToPresent(100, viewport)).toBeCloseTo(2_800 - 280 / 3);
  expect(scrollToPresent(0, viewport)).toBe(0);
});
