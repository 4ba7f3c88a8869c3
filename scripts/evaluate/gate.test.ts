import { describe, expect, test } from 'vitest';
import type { Evaluation } from './evaluation.ts';
import type { Figure } from './figure.ts';
import { regressions } from './gate.ts';

const report = (figures: Partial<Figure>[]): Evaluation => ({
  split: 'dev',
  date: null,
  scores: { detectors: [], modes: [] },
  sets: {},
  sections: [
    {
      title: 'x',
      about: '',
      figures: figures.map((figure) => ({
        id: 'recall',
        label: '',
        set: '',
        value: 0.5,
        n: 1000,
        interval: [0, 1],
        basis: 'as shipped',
        better: 'higher',
        aim: null,
        ...figure,
      })),
    },
  ],
});

describe('a figure', () => {
  test.each<[string, Partial<Figure>, Partial<Figure>, boolean]>([
    ['that stayed', {}, {}, false],
    ['a little lower', {}, { value: 0.491 }, false],
    ['clearly lower', {}, { value: 0.48 }, true],
    ['higher', {}, { value: 0.9 }, false],
    ['higher where lower is better', { better: 'lower' }, { better: 'lower', value: 0.52 }, true],
    ['lower where lower is better', { better: 'lower' }, { better: 'lower', value: 0.1 }, false],
    ['of ten records, one of which changed', { n: 10 }, { n: 10, value: 0.4 }, false],
    ['of ten records, two of which changed', { n: 10 }, { n: 10, value: 0.3 }, true],
    ['that is only reported', { better: 'none' }, { better: 'none', value: 0 }, false],
    ['that can no longer be measured', {}, { value: null }, true],
    ['that could not be measured before', { value: null }, { value: 0.1 }, false],
    ['that was in-sample before', { basis: 'in-sample' }, { basis: 'out-of-fold', value: 0.2 }, false],
    ['that is missing', {}, { id: 'other' }, true],
    [
      'of six detections per trace that became seven',
      { value: 6, better: 'lower' },
      { value: 7, better: 'lower' },
      true,
    ],
  ])('%s', (_, before, now, isWorse) => {
    expect(regressions(report([before]), report([now])).length > 0).toBe(isWorse);
  });

  test('that is new is not a regression', () => {
    expect(regressions(report([]), report([{}]))).toEqual([]);
  });
});
