import { z } from 'zod';
import { interval } from '../_kit/vocabulary.ts';
import { type Claim, type Measurement, measure } from '../evaluation/measurement.ts';
import { FEEDBACK_TYPES, type FeedbackType } from './feedback.record.ts';

const share = z.number().min(0).max(1).nullable();
const maybeInterval = interval.nullable();

/** Accuracy of the detections that have feedback. A figure with an empty denominator is null. */
export const feedbackFigures = z
  .object({
    true_positives: z.number().int(),
    false_positives: z.number().int(),
    true_negatives: z.number().int(),
    false_negatives: z.number().int(),
    precision: share,
    recall: share,
    f1: share,
    samples: z.number().int().describe('Detections with feedback; the newest feedback of each counts'),
    interval: z
      .object({ precision: maybeInterval, recall: maybeInterval, f1: maybeInterval })
      .describe('95 % intervals (Wilson) of the three'),
  })
  .meta({ id: 'FeedbackFigures' });
export type FeedbackFigures = z.input<typeof feedbackFigures>;

export const feedbackStats = z.object({
  items: z.array(feedbackFigures.extend({ detection_type: z.string() })).describe('Detection types with feedback'),
  subtypes: z
    .array(feedbackFigures.extend({ detection_type: z.string(), subtype: z.string() }))
    .describe('Subtypes with feedback'),
  overall: feedbackFigures,
  recall_estimate: z.string().describe('How recall is estimated, and what it leaves out'),
});
export type FeedbackStats = z.input<typeof feedbackStats>;

export const RECALL_ESTIMATE =
  'Real failures that were reported, of all real failures that feedback names: true positives / (true positives + false negatives). ' +
  'It omits failures that were not reported, so it is an upper bound of recall; reviewing observations brings it closer to the true value.';

export type FeedbackCounts = Readonly<Record<FeedbackType, number>>;

/** Pure: counts of newest feedback by subtype, in any order. */
export function toFeedbackStats(
  counts: readonly { type: string; subtype: string; feedback: FeedbackType; count: number }[],
): FeedbackStats {
  const byType = Map.groupBy(counts, ({ type }) => type);
  const bySubtype = Map.groupBy(counts, ({ type, subtype }) => `${type}/${subtype}`);
  const items = [...byType].sort(byKey).map(([type, rows]) => ({ detection_type: type, ...figures(sumOf(rows)) }));
  const subtypes = [...bySubtype].sort(byKey).map(([, rows]) => {
    const { type, subtype } = rows[0]!;
    return { detection_type: type, subtype, ...figures(sumOf(rows)) };
  });
  return { items, subtypes, overall: figures(sumOf(counts)), recall_estimate: RECALL_ESTIMATE };
}

function byKey([one]: [string, unknown], [other]: [string, unknown]): number {
  return one < other ? -1 : 1;
}

function sumOf(rows: readonly { feedback: FeedbackType; count: number }[]): FeedbackCounts {
  const sum = (type: FeedbackType) =>
    rows.filter(({ feedback }) => feedback === type).reduce((total, { count }) => total + count, 0);
  return Object.fromEntries(FEEDBACK_TYPES.map((type) => [type, sum(type)])) as FeedbackCounts;
}

const CLAIM_OF: Readonly<Record<FeedbackType, Claim>> = {
  true_positive: { predicted: true, real: true },
  false_positive: { predicted: true, real: false },
  true_negative: { predicted: false, real: false },
  false_negative: { predicted: false, real: true },
};

function figures(counts: FeedbackCounts): FeedbackFigures {
  return toFigures(measure(FEEDBACK_TYPES.flatMap((type) => Array<Claim>(counts[type]).fill(CLAIM_OF[type]))));
}

export function toFigures(measured: Measurement): FeedbackFigures {
  const { precision, recall, f1 } = measured;
  return {
    true_positives: measured.truePositives,
    false_positives: measured.falsePositives,
    true_negatives: measured.trueNegatives,
    false_negatives: measured.falseNegatives,
    precision: precision?.value ?? null,
    recall: recall?.value ?? null,
    f1: f1?.value ?? null,
    samples: measured.samples,
    interval: {
      precision: precision?.interval ?? null,
      recall: recall?.interval ?? null,
      f1: f1?.interval ?? null,
    },
  };
}
