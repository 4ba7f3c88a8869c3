import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../test/support/random.ts';
import {
  type Goal,
  type LabelledConfidence,
  MIN_EACH,
  MIN_SAMPLES,
  recommendThreshold,
} from './recommend-threshold.ts';

type Group = [confidence: number, real: number, falseCount: number];

function labels(...groups: Group[]): LabelledConfidence[] {
  const flat = groups.flatMap(([confidence, real, falseCount]) => [
    ...Array.from({ length: real }, () => ({ confidence, isReal: true })),
    ...Array.from({ length: falseCount }, () => ({ confidence, isReal: false })),
  ]);
  return flat.map((label, place) => ({ ...label, detectionId: `det_${String(place).padStart(4, '0')}` }));
}

const F1: Goal = { kind: 'f1' };

describe('recommendThreshold', () => {
  it('raises above a mass of false ones, half-way to the next real one', () => {
    const result = recommendThreshold(labels([0.5, 1, 19], [0.7, 10, 1], [0.9, 10, 0]), 0.5, F1);
    expect(result).toMatchObject({
      action: 'raise',
      threshold: 0.6,
      samples: 41,
      real: 21,
      moved: { labelled: 20, real: 1 },
      before: { truePositives: 21, falsePositives: 20 },
      after: { truePositives: 20, falsePositives: 1, falseNegatives: 1 },
      reason: '20 labelled detections would no longer fire, 1 of them real: the greatest F1 on your feedback.',
    });
    expect(result.after?.precision?.interval).toEqual([0.7733, 0.9915]);
  });

  it('lowers the threshold if observations are mostly real', () => {
    const results = recommendThreshold(labels([0.2, 0, 9], [0.4, 12, 1], [0.8, 8, 1]), 0.5, F1);
    expect(results).toMatchObject({ action: 'lower', threshold: 0.3, moved: { labelled: 13, real: 12 } });
  });

  it('never goes below the lowest labelled confidence', () => {
    const outcome = recommendThreshold(labels([0.3, 12, 2], [0.8, 8, 4]), 0.5, F1);
    expect(outcome).toMatchObject({ action: 'lower', threshold: 0.3 });
  });

  it.each<[string, LabelledConfidence[], 'keep' | 'none', RegExp]>([
    ['too few', labels([0.5, 0, 9], [0.9, 10, 0]), 'none', /^Needs feedback on 20 detections; there are 19\.$/],
    ['too few real ones', labels([0.5, 0, 40], [0.9, 4, 0]), 'none', /^Needs 5 detections that were real; there are 4/],
    ['too few false ones', labels([0.5, 0, 4], [0.9, 40, 0]), 'none', /not real; there are 4/],
    ['the best already', labels([0.3, 1, 12], [0.9, 12, 1]), 'keep', /^No change: no other threshold has a greater F1/],
    ['few between the two', labels([0.3, 1, 12], [0.55, 0, 4], [0.9, 12, 1]), 'keep', /lie between 0\.5 and the best/],
    ['one confidence, mostly false', labels([0.95, 5, 19]), 'keep', /^No change: no other threshold/],
    ['one confidence and few real ones', labels([0.95, 4, 20]), 'none', /^Needs 5 detections that were real/],
    ['little to gain', labels([0.6, 5, 4], [0.7, 6, 4], [0.9, 5, 5]), 'keep', /./],
  ])('recommends no change with %s', (_name, given, action, reason) => {
    const recommendation = recommendThreshold(given, 0.5, F1);
    expect(recommendation).toMatchObject({ action, threshold: null, after: null, moved: null });
    expect(recommendation.reason).toMatch(reason);
  });

  it('meets a precision with the lowest threshold that does', () => {
    const given = labels([0.5, 10, 10], [0.6, 9, 3], [0.7, 9, 1], [0.9, 9, 0]);
    expect(recommendThreshold(given, 0.5, { kind: 'precision', target: 0.85 })).toMatchObject({
      action: 'raise',
      threshold: 0.55,
      after: { precision: { value: 0.871 } },
    });
    expect(recommendThreshold(given, 0.5, { kind: 'precision', target: 0.96 })).toMatchObject({
      action: 'none',
      threshold: null,
      reason: 'No threshold reaches the precision on 10 labelled detections.',
    });
  });

  it('silences mostly false detections with one confidence for a precision only', () => {
    const given = labels([0.95, 4, 20]);
    expect(recommendThreshold(given, 0.51, { kind: 'precision', target: 0.9 })).toMatchObject({
      action: 'raise',
      threshold: 1,
      moved: { labelled: 24, real: 4 },
    });
    expect(recommendThreshold(given, 0.51, F1).threshold).toBeNull();
  });

  const label = fc.record({
    confidence: fc.integer({ min: 0, max: 1000 }).map((value) => value / 1000),
    isReal: fc.boolean(),
  });
  const some = fc
    .array(label, { maxLength: 80 })
    .map((list) => list.map((each, place) => ({ ...each, detectionId: `det_${place}` })));

  it('recommends nothing with too few labels or a lower F1', () => {
    fc.assert(
      fc.property(some, fc.integer({ min: 0, max: 1000 }), (given, current) => {
        const recommendation = recommendThreshold(given, current / 1000, F1);
        const real = given.filter(({ isReal }) => isReal).length;
        const isEnough = given.length >= MIN_SAMPLES && real >= MIN_EACH && given.length - real >= MIN_EACH;
        if (!isEnough) expect(recommendation.threshold).toBeNull();
        if (recommendation.threshold === null) return;
        expect(recommendation.after!.f1!.value).toBeGreaterThan(recommendation.before.f1?.value ?? 0);
        expect(recommendation.threshold).toBeGreaterThanOrEqual(Math.min(...given.map(({ confidence }) => confidence)));
      }),
      { seed: 7, numRuns: 300 },
    );
  });

  it('does not depend on the order of the labels', () => {
    fc.assert(
      fc.property(some, (given) => {
        expect(recommendThreshold(given.toReversed(), 0.5, F1)).toEqual(recommendThreshold(given, 0.5, F1));
      }),
      { seed: 8, numRuns: 100 },
    );
  });

  it('rarely moves a threshold for labels that are chance', () => {
    const random = seededRandom(11);
    const moved = Array.from({ length: 200 }, () => {
      const given = Array.from({ length: 40 }, (_, place) => ({
        detectionId: `det_${place}`,
        confidence: Math.round(random() * 1000) / 1000,
        isReal: random() < 0.5,
      }));
      return recommendThreshold(given, 0, F1).threshold !== null;
    }).filter(Boolean).length;
    expect(moved).toBeLessThan(20);
  });
});
