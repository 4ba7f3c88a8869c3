import { z } from 'zod';
import { feedbackFigures, toFigures } from './feedback-stats.ts';
import type { SubtypeRecommendation } from './recommend-for-subtype.ts';
import { type Goal, MIN_EACH, MIN_SAMPLES } from './recommend-threshold.ts';

/** A recommended change of the firing threshold of one subtype. */
export const recommendationRecord = z
  .object({
    detector: z.string(),
    subtype: z.string(),
    action: z.enum(['raise', 'lower', 'keep', 'none']).describe('`none` if there is too little data'),
    recommended: z.number().nullable(),
    current: z.number().describe('The current threshold in traces of the framework with most samples'),
    current_source: z.enum(['override', 'adapted', 'calibrated']),
    reason: z.string(),
    samples: z.number().int(),
    real: z.number().int().describe('Samples that were real failures'),
    before: feedbackFigures.describe('The samples as they fire now'),
    after: feedbackFigures.nullable().describe('The same samples at the recommended threshold'),
    moved: z
      .object({ labelled: z.number().int(), real: z.number().int() })
      .nullable()
      .describe('Samples that fire under only one of the two thresholds'),
    apply: z
      .object({ method: z.literal('PUT'), path: z.string(), body: z.record(z.string(), z.number()) })
      .nullable()
      .describe('The request that applies the recommendation'),
  })
  .meta({ id: 'Recommendation' });
export type RecommendationRecord = z.input<typeof recommendationRecord>;

export const recommendationList = z.object({
  goal: z.enum(['f1', 'precision']),
  target_precision: z.number().nullable(),
  minimum: z.object({ samples: z.number().int(), each: z.number().int() }).describe('Fewer recommend nothing'),
  method: z.string(),
  items: z.array(recommendationRecord),
});
export type RecommendationList = z.input<typeof recommendationList>;

const METHODS = {
  f1: 'For each subtype: the threshold with the greatest F1 on the newest feedback of each detection, where the gain also holds on detections left out of the choice.',
  precision:
    'For each subtype: the lowest threshold that reaches the precision on the newest feedback of each detection.',
} as const;

export function toRecommendationList(goal: Goal, items: RecommendationRecord[]): RecommendationList {
  return {
    goal: goal.kind,
    target_precision: goal.kind === 'precision' ? goal.target : null,
    minimum: { samples: MIN_SAMPLES, each: MIN_EACH },
    method: METHODS[goal.kind],
    items,
  };
}

export function toRecommendationRecord(tenantId: string, recommendation: SubtypeRecommendation): RecommendationRecord {
  return {
    detector: recommendation.detector,
    subtype: recommendation.subtype,
    action: recommendation.action,
    recommended: recommendation.threshold,
    current: recommendation.current,
    current_source: recommendation.source,
    reason: recommendation.reason,
    samples: recommendation.samples,
    real: recommendation.real,
    before: toFigures(recommendation.before),
    after: recommendation.after && toFigures(recommendation.after),
    moved: recommendation.moved,
    apply:
      recommendation.threshold === null
        ? null
        : {
            method: 'PUT',
            path: `/api/v1/tenants/${tenantId}/settings/detector-overrides`,
            body: { [`${recommendation.detector}/${recommendation.subtype}`]: recommendation.threshold },
          },
  };
}
