import { expect, it } from 'vitest';
import { labelVerdict } from './label-verdict.ts';

const T = true;
const F = false;

it.each<[string, [number, boolean][], boolean, number | null]>([
  ['nothing', [], false, null],
  ['one real', [[0.5, T]], false, null],
  [
    'two real',
    [
      [0.5, T],
      [0.5, T],
    ],
    true,
    null,
  ],
  ['one false', [[0.5, F]], false, null],
  [
    'two false',
    [
      [0.5, F],
      [0.4, F],
    ],
    false,
    0.501,
  ],
  [
    'three of four false',
    [
      [0.45, F],
      [0.41, F],
      [0.42, T],
      [0.43, F],
    ],
    false,
    0.451,
  ],
  [
    'half and half',
    [
      [0.5, F],
      [0.4, F],
      [0.5, T],
      [0.4, T],
    ],
    false,
    null,
  ],
  [
    'false ones below real ones',
    [
      [0.3, F],
      [0.31, F],
      [0.32, F],
      [0.33, F],
      [0.6, T],
    ],
    false,
    0.331,
  ],
])('%s', (_name, said, isTrusted, doubtfulBelow) => {
  const labels = said.map(([confidence, isValid]) => ({ key: 'loop/stalled', confidence, isValid }));
  expect(labelVerdict(labels)).toMatchObject({ isTrusted, doubtfulBelow });
});
