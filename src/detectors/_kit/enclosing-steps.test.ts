import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { enclosingSteps, isInside, rootOf, withEnclosing } from './enclosing-steps.ts';

const trace = parseTrace('span flow\n  node clerk\n    tool search {} -> "x"\n  tool save {} -> "y"');

test('the steps that contain a step, the nearest first', () => {
  expect([...enclosingSteps(trace, 2)].map(({ index }) => index)).toEqual([1, 0]);
  expect([...enclosingSteps(trace, 0)]).toEqual([]);
});

test('a step is inside each of them, and not inside itself or a step beside it', () => {
  expect([0, 1, 2, 3].map((outer) => isInside(trace, 2, outer))).toEqual([true, true, false, false]);
});

test('a step with those that contain it, and the outermost one', () => {
  expect(withEnclosing(trace, 2).map(({ index }) => index)).toEqual([2, 1, 0]);
  expect([0, 2, 3].map((step) => rootOf(trace, step).index)).toEqual([0, 0, 0]);
});

test('no other file of the detectors walks up the tree of steps', () => {
  const folder = join(import.meta.dirname, '..');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const walks = files.filter((file) =>
    /\b(\w+) = (?:\w+\.)?steps\[\1\]!?\.parent|while \((\w+)\.parent !== null\)|\b(\w+) = \3\.parent ===/.test(
      readFileSync(join(folder, file), 'utf8'),
    ),
  );
  expect(walks).toEqual([join('_kit', 'enclosing-steps.ts')]);
});
