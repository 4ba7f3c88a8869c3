import { expect, test } from 'vitest';
import { linearLogit, linearProbability, packLinearModel, readLinearModel } from './linear-model.ts';

const weights = { bias: -0.25, dense: [2, -1], sparse: [0, 0.5, -1, 0.004] };
const model = readLinearModel(packLinearModel(['length', 'digits'], weights));
const vector = { indices: Int32Array.of(1, 2), values: Float32Array.of(1, 0.5) };

test.each<[string, number[], typeof vector | null, number]>([
  ['dense values alone', [1, 1], null, 0.75],
  ['buckets alone', [0, 0], vector, -0.25],
  ['a value that is not finite counts as 0', [Number.NaN, Number.POSITIVE_INFINITY], null, -0.25],
])('%s', (_, dense, sparse, expected) => {
  expect(linearLogit(model, dense, sparse)).toBeCloseTo(expected, 2);
});

test('features keep their order and a missing bucket counts as 0', () => {
  expect(model.features).toEqual(['length', 'digits']);
  expect(linearLogit(model, [0, 0], { indices: Int32Array.of(99), values: Float32Array.of(1) })).toBe(-0.25);
  expect(linearProbability(model, [0.125, 0])).toBe(0.5);
});

test('a model without buckets is small', () => {
  expect(packLinearModel(['x'], { bias: 1, dense: [1 / 3], sparse: [] })).toEqual({
    bias: 1,
    features: { x: 0.33333 },
    sparse: '',
    scale: 0,
  });
});
