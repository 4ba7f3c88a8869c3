import { describe, expect, test } from 'vitest';
import { confidenceOf } from '../../../src/detectors/_kit/calibration.ts';
import { calibrationOf, fitOutcome } from './outcome-curves.ts';
import type { RunDetection } from './run-detections.ts';

interface DetectionGroup {
  type?: RunDetection['type'];
  subtype?: string;
  score?: number;
  failed: number;
  survived: number;
  /** All of them on one task. */
  isOneTask?: boolean;
}

function detections(...groups: DetectionGroup[]): RunDetection[] {
  return groups.flatMap(({ type = 'loop', subtype = 'cyclic', score = 0.6, failed, survived, isOneTask }, group) =>
    Array.from({ length: failed + survived }, (_, at) => ({
      id: `${group}-${at}`,
      set: 'tau_bench',
      group: isOneTask ? `${group}` : `${group}-${at}`,
      type,
      subtype,
      score,
      spanId: 's',
      hasFailed: at < failed,
    })),
  );
}

describe('the probability that the run failed', () => {
  test.each<[string, DetectionGroup[], number, number]>([
    ['is the observed share if there are many detections', [{ failed: 900, survived: 100 }], 0.89, 0.91],
    [
      'is pulled towards the detector if there are few detections',
      [
        { failed: 60, survived: 40 },
        { subtype: 'stalled', failed: 3, survived: 0 },
      ],
      0.6,
      0.7,
    ],
    ['never passes .95', [{ failed: 3000, survived: 1 }], 0.95, 0.95],
    [
      'counts a task once',
      [
        { failed: 50, survived: 50 },
        { failed: 500, survived: 0, isOneTask: true },
      ],
      0.4,
      0.6,
    ],
  ])('%s', (_, some, low, high) => {
    const last = some.at(-1)!;
    const chance = fitOutcome(detections(...some)).probabilityOf('loop', last.subtype ?? 'cyclic', 0.6);
    expect(chance).toBeGreaterThanOrEqual(low);
    expect(chance).toBeLessThanOrEqual(high);
  });

  test('rises gradually with the score, even if the labels jump or fall', () => {
    for (const [low, high] of [
      [5, 95],
      [95, 5],
    ] as const) {
      const model = fitOutcome(
        detections(
          { score: 0.45, failed: low, survived: 100 - low },
          { score: 0.9, failed: high, survived: 100 - high },
        ),
      );
      const chances = [0.43, 0.6, 0.8, 1].map((score) => model.probabilityOf('loop', 'cyclic', score));
      expect(chances).toEqual([...chances].sort((a, b) => a - b));
      expect(chances.at(-1)! - chances[0]!).toBeLessThan(0.35);
    }
  });

  test('of an unknown detector is that of all detectors', () => {
    const model = fitOutcome(detections({ failed: 70, survived: 30 }));
    expect(model.probabilityOf('grounding', 'invented_link', 0.6)).toBeCloseTo(0.7, 1);
  });
});

describe('a calibration', () => {
  const enough = detections({ failed: 20, survived: 10 }, { subtype: 'stalled', score: 0.7, failed: 9, survived: 1 });
  const calibration = calibrationOf('loop', enough, fitOutcome(enough), 0.42)!;

  test('fires from the firing score of its least confident subtype on, with the correct probability', () => {
    expect(calibration).toMatchObject({ label: 'run_failed', from: 0.43, prior: 0.42, samples: 40, curve: [] });
    for (const subtype of ['cyclic', 'stalled']) {
      expect(confidenceOf(0.43, subtype, calibration).value).toBeGreaterThanOrEqual(calibration.threshold);
      expect(confidenceOf(0.429, subtype, calibration).value).toBeLessThan(calibration.threshold);
      expect(confidenceOf(0.22, subtype, calibration).value).toBeGreaterThanOrEqual(calibration.threshold / 2);
    }
  });

  test.each([
    ['nine detections', detections({ failed: 9, survived: 0 })],
    ['many on one task', detections({ failed: 40, survived: 0, isOneTask: true })],
    ['none', detections({ type: 'grounding', failed: 40, survived: 0 })],
  ])('needs more than %s', (_, few) => {
    expect(calibrationOf('loop', few, fitOutcome(few), 0.42)).toBeNull();
  });
});
