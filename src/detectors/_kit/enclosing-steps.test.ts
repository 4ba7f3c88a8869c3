import { expect, test } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { enclosingSteps, isInside } from './enclosing-steps.ts';

const trace = parseTrace('span flow\n  node clerk\n    tool search {} -> "x"\n  tool save {} -> "y"');

test('the steps that contain a step, the nearest first', () => {
  expect([...enclosingSteps(trace, 2)].map(({ index }) => index)).toEqual([1, 0]);
  expect([...enclosingSteps(trace, 0)]).toEqual([]);
});

test('a step is inside each of them, and not inside itself or a step beside it', () => {
  expect([0, 1, 2, 3].map((outer) => isInside(trace, 2, outer))).toEqual([true, true, false, false]);
});
