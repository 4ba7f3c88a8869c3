import { describe, expect, it } from 'vitest';
import type { FeedbackType } from './feedback.record.ts';
import { toFeedbackStats } from './feedback-stats.ts';

const rows = (type: string, [tp, fp, tn, fn]: [number, number, number, number], subtype = 'cyclic') =>
  Object.entries({ true_positive: tp, false_positive: fp, true_negative: tn, false_negative: fn })
    .filter(([, count]) => count > 0)
    .map(([feedback, count]) => ({ type, subtype, feedback: feedback as FeedbackType, count }));

describe('feedback statistics', () => {
  /** Worked out by hand: precision tp/(tp+fp), recall tp/(tp+fn), F1 2tp/(2tp+fp+fn). */
  it.each<[string, [number, number, number, number], (number | null)[]]>([
    ['all four', [6, 2, 3, 4], [0.75, 0.6, 0.6667]],
    ['nothing missed that is known', [3, 1, 0, 0], [0.75, 1, 0.8571]],
    ['all wrong', [0, 5, 0, 0], [0, null, null]],
    ['only missed', [0, 0, 0, 4], [null, 0, 0]],
    ['only rightly silent', [0, 0, 7, 0], [null, null, null]],
  ])('%s', (_name, counts, [precision, recall, f1]) => {
    const { items } = toFeedbackStats(rows('loop', counts));
    const [true_positives, false_positives, true_negatives, false_negatives] = counts;
    expect(items).toMatchObject([
      {
        detection_type: 'loop',
        true_positives,
        false_positives,
        true_negatives,
        false_negatives,
        samples: counts.reduce((sum, count) => sum + count, 0),
        precision,
        recall,
        f1,
      },
    ]);
  });

  it('gives the interval of Wilson: 6 of 8 lie within 0.4093 and 0.9285', () => {
    const [loop] = toFeedbackStats(rows('loop', [6, 2, 0, 0])).items;
    expect(loop?.interval.precision).toEqual([0.4093, 0.9285]);
  });

  it('counts by type and in total', () => {
    const stats = toFeedbackStats([...rows('loop', [1, 1, 0, 0]), ...rows('injection', [3, 0, 0, 1])]);
    expect(stats.items.map(({ detection_type, precision }) => [detection_type, precision])).toEqual([
      ['injection', 1],
      ['loop', 0.5],
    ]);
    expect(stats.overall).toMatchObject({ samples: 6, true_positives: 4, precision: 0.8, recall: 0.8 });
  });

  it('counts by subtype', () => {
    const { items, subtypes } = toFeedbackStats([
      ...rows('loop', [1, 3, 0, 0], 'retry_storm'),
      ...rows('loop', [4, 0, 0, 1], 'cyclic'),
    ]);
    expect(items).toMatchObject([{ detection_type: 'loop', samples: 9 }]);
    expect(subtypes).toMatchObject([
      { detection_type: 'loop', subtype: 'cyclic', samples: 5, precision: 1, recall: 0.8 },
      { detection_type: 'loop', subtype: 'retry_storm', samples: 4, precision: 0.25, recall: 1 },
    ]);
  });

  it('states how recall is estimated', () => {
    expect(toFeedbackStats([])).toMatchObject({
      items: [],
      subtypes: [],
      overall: { samples: 0, precision: null },
      recall_estimate: expect.stringContaining('an upper bound of recall'),
    });
  });
});
