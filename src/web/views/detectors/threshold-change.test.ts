import { expect, it } from 'vitest';
import type { Detection } from '../../../client/misstep-client.generated.ts';
import { affectedBy, changeOf, thresholdOf } from './threshold-change.ts';

const NOW = Date.UTC(2026, 0, 15, 12);

const cyclic = { subtype: 'cyclic', effective: 0.6, hasOwn: false };
const polling = { subtype: 'polling', effective: 0.3, hasOwn: false };

it('a higher threshold affects reported detections below it, a lower one also the observations above it', () => {
  expect(changeOf('loop', [cyclic], 0.8, NOW)).toEqual({
    detection_type: 'loop',
    date_from: '2026-01-08T12:00:00.000Z',
    page_size: 200,
    confidence_min: 0.6,
    confidence_max: 0.7995,
    min_severity: 'info',
  });
  expect(changeOf('loop', [cyclic], 0.5, NOW)).toMatchObject({
    confidence_min: 0.5,
    confidence_max: 0.5995,
    min_severity: 'observation',
  });
  expect(changeOf('loop', [cyclic], 0.6, NOW)).toBeNull();
});

it('a threshold of the detector replaces different thresholds of its subtypes, except one that was set for a subtype', () => {
  expect(changeOf('loop', [cyclic, polling], 0.6, NOW)).toMatchObject({ confidence_min: 0.3, confidence_max: 0.5995 });
  expect(changeOf('loop', [cyclic, polling], 0.5, NOW)).toMatchObject({ confidence_min: 0.3, confidence_max: 0.5995 });
  expect(changeOf('loop', [cyclic, { ...polling, hasOwn: true }], 0.6, NOW)).toBeNull();
});

it('compares a detection with the threshold of its subtype', () => {
  const found = (subtype: string, confidence: number, severity = 'info') =>
    ({ subtype, confidence, severity }) as Detection;
  const lost = found('polling', 0.4);
  const gained = found('cyclic', 0.55, 'observation');
  const others = [
    found('polling', 0.95),
    found('polling', 0.55),
    found('polling', 0.4, 'observation'),
    found('cyclic', 0.45, 'observation'),
    found('guess', 0.55, 'observation'),
  ];
  expect(affectedBy([lost, gained, ...others], [cyclic, polling], 0.5)).toEqual({ fewer: [lost], more: [gained] });
});

it.each([
  ['0.5', 0.5],
  ['1', 1],
  ['0', 0],
  ['0.333', 0.33],
  ['', null],
  ['1.1', null],
  ['-0.1', null],
  ['high', null],
])('parses the threshold "%s"', (text, value) => {
  expect(thresholdOf(text)).toBe(value);
});
