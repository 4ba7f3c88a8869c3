import { expect, it } from 'vitest';
import { labelVerdict } from './label-verdict.ts';

const T = true;
const F = false;
const falseAt = (...confidences: number[]) => confidences.map((confidence): [number, boolean] => [confidence, F]);
const realAt = (...confidences: number[]) => confidences.map((confidence): [number, boolean] => [confidence, T]);

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
  ['four of six false', [...falseAt(0.5, 0.5, 0.5, 0.5), ...realAt(0.6, 0.6)], false, null],
  ['five of seven false', [...falseAt(0.5, 0.5, 0.5, 0.5, 0.5), ...realAt(0.6, 0.6)], false, 0.501],
  ['six of nine false', [...falseAt(0.5, 0.5, 0.5, 0.5, 0.5, 0.5), ...realAt(0.6, 0.6, 0.6)], false, 0.501],
  [
    'mostly real ones from just above some false ones on',
    [...falseAt(0.45, 0.29, 0.44, 0.32, 0.31, 0.3), ...realAt(0.321, 0.6, 0.7)],
    false,
    0.321,
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
])('%s', (_name, value, isTrusted, doubtfulBelow) => {
  const labels = value.map(([confidence, isValid]) => ({ key: 'loop/stalled', confidence, isValid }));
  expect(labelVerdict(labels)).toMatchObject({ isTrusted, doubtfulBelow });
});
