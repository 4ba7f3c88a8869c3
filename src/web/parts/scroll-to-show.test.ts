import { expect, test } from 'vitest';
import { scrollToShow } from './scroll-to-show.ts';

const ITEM = { top: 300, bottom: 400 };
const PREVIOUS = { top: 200, bottom: 300 };

test.each<[string, { scrollTop: number; height: number }, typeof PREVIOUS | null, number | null]>([
  ['a visible item', { scrollTop: 0, height: 400 }, PREVIOUS, null],
  ['an item below the visible part', { scrollTop: 0, height: 250 }, PREVIOUS, 200],
  ['an item that is cut off at the bottom', { scrollTop: 0, height: 399 }, PREVIOUS, 200],
  ['an item that is cut off at the top', { scrollTop: 301, height: 400 }, PREVIOUS, 200],
  ['an item that does not fit with the one before it', { scrollTop: 0, height: 199 }, PREVIOUS, 300],
  ['an item that is higher than the visible part', { scrollTop: 0, height: 50 }, PREVIOUS, 300],
  ['the first item', { scrollTop: 350, height: 100 }, null, 300],
])('scrolls to %s', (_case, viewport, previous, expected) =>
  expect(scrollToShow(viewport, ITEM, previous)).toBe(expected),
);
