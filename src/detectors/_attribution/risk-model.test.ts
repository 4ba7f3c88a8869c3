import { describe, expect, it } from 'vitest';
import { alarmOf, canSpeak, type RiskModel, type RiskRow } from './risk-model.ts';
import { RUN_FEATURE_NAMES } from './run-features.ts';

const ERRORS = RUN_FEATURE_NAMES.indexOf('errors');

/** Scores a run by its number of errors. */
const model = (alarm: number | null, tools: number[]): RiskModel => ({
  linear: {
    features: [...RUN_FEATURE_NAMES],
    bias: 0,
    dense: Float64Array.from(RUN_FEATURE_NAMES, (_, at) => (at === ERRORS ? 1 : 0)),
    sparse: new Int8Array(),
    scale: 0,
  },
  trees: { features: RUN_FEATURE_NAMES, base: 0, trees: [] },
  curve: [
    [0, 0.1],
    [2, 0.9],
  ],
  alarm,
  tools: new Set(tools),
});

const row = (errors: number, tools: number[]): RiskRow => ({
  kind: 'tools',
  values: Float64Array.from(RUN_FEATURE_NAMES, (_, at) => (at === ERRORS ? errors : 0)),
  grams: { indices: new Int32Array(), values: new Float32Array() },
  tools,
});

describe('alarmOf', () => {
  it.each([
    ['above the alarm', model(1, [7, 8]), row(2, [7, 8]), 0.9],
    ['below the alarm', model(1, [7, 8]), row(0.5, [7, 8]), null],
    ['a model that only orders', model(null, [7, 8]), row(2, [7, 8]), null],
    ['tools of another system', model(1, [7, 8]), row(2, [1, 2]), null],
    ['half the tools unknown', model(1, [7, 8]), row(2, [7, 1]), null],
    ['no tools at all', model(1, [7, 8]), row(2, []), null],
  ])('%s', (_, one, run, expected) => expect(alarmOf(one, run)).toBe(expected));

  it('takes some unknown tools', () => {
    expect(canSpeak(model(1, [1, 2, 3]), [1, 2, 3, 4, 5])).toBe(true);
    expect(canSpeak(model(1, [1, 2, 3]), [1, 2, 4, 5])).toBe(false);
  });
});
