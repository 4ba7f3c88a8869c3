import { expect, it } from 'vitest';
import { overrideText, recommendationTexts } from './subtype-threshold.ts';

it.each([
  ['the calibrated threshold', { override: null, source: 'calibrated' }, null],
  ['the threshold of the detector', { override: null, source: 'override' }, 'set for the detector'],
  ['its own threshold', { override: 0.8, source: 'override' }, 'set for this subtype; 0.62 without it'],
  ['a threshold of 1', { override: 1, source: 'override' }, 'off: set for this subtype; 0.62 without it'],
] as const)('a subtype with %s', (_case, thresholds, text) => {
  expect(overrideText({ calibrated: 0.62, effective: 0.62, ...thresholds })).toBe(text);
});

const after = (reported: number) => ({
  true_positives: 0,
  false_positives: reported,
  true_negatives: 0,
  false_negatives: 0,
  precision: null,
  recall: null,
});

it.each([
  [0.6, null, null, 'reports from 0.60: no change', null],
  [1, null, null, 'is switched off: no change', null],
  [0.6, 0.855, after(4), 'reports from 0.60; recommended: 0.855', 'Report from 0.855'],
  [0.6, 1, after(0), 'reports from 0.60; recommended: switch this subtype off', 'Switch this subtype off'],
  [0.6, 1, after(7), 'reports from 0.60; recommended: 1.00', 'Report from 1.00'],
])('from %s, recommended %s', (current, recommended, figures, summary, action) => {
  expect(recommendationTexts({ current, recommended, after: figures as never })).toEqual({ summary, action });
});
