import { expect, it } from 'vitest';
import { changeOf, thresholdOf } from './threshold-change.ts';

const NOW = Date.UTC(2026, 0, 15, 12);

it('a higher threshold drops the reported detections below it, a lower one adds the observations above it', () => {
  expect(changeOf('loop', 0.6, 0.8, NOW)).toEqual({
    direction: 'fewer',
    filter: {
      detection_type: 'loop',
      date_from: '2026-01-08T12:00:00.000Z',
      page_size: 5,
      confidence_min: 0.6,
      confidence_max: 0.7995,
      min_severity: 'info',
    },
  });
  expect(changeOf('loop', 0.6, 0.5, NOW)).toMatchObject({
    direction: 'more',
    filter: { confidence_min: 0.5, confidence_max: 0.5995, min_severity: 'observation' },
  });
  expect(changeOf('loop', 0.6, 0.6, NOW)).toBeNull();
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
