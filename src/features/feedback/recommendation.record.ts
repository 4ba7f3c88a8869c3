import { z } from 'zod';
import type { DetectorOverride } from '../settings/settings.service.ts';
import { feedbackFigures, toFigures } from './feedback-stats.ts';
import { type Goal, MIN_EACH, MIN_SAMPLES, type Recommendation } from './recommend-threshold.ts';

/** A recommended change of one detector's firing confidence. */
export const recommendationRecord = z
  .object({
    detector: z.string(),
    action: z.enum(['raise', 'lower', 'keep', 'none']).describe('`none` where there is too little to go by'),
    recommended: z.number().nullable(),
    current: z.number(),
    current_source: z.enum(['override', 'calibrated']),
    reason: z.string(),
    samples: z.number().int(),
    real: z.number().int().describe('Samples that were real failures'),
    before: feedbackFigures.describe('The samples at the present threshold'),
    after: feedbackFigures.nullable().describe('The same samples at the recommended threshold'),
    moved: z
      .object({ labelled: z.number().int(), real: z.number().int() })
      .nullable()
      .describe('Samples between the two thresholds'),
    apply: z
      .object({ method: z.literal('PUT'), path: z.string(), body: z.record(z.string(), z.number()) })
      .nullable()
      .describe('The request that applies it; nothing is changed before'),
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
  f1: 'The threshold with the greatest F1 on the newest feedback of each detection, where the gain also holds on detections left out of the choice.',
  precision: 'The lowest threshold that reaches the precision on the newest feedback of each detection.',
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

export function toRecommendationRecord(
  tenantId: string,
  detector: string,
  setting: DetectorOverride,
  said: Recommendation,
): RecommendationRecord {
  return {
    detector,
    action: said.action,
    recommended: said.threshold,
    current: setting.effective,
    current_source: setting.source,
    reason: said.reason,
    samples: said.samples,
    real: said.real,
    before: toFigures(said.before),
    after: said.after && toFigures(said.after),
    moved: said.moved,
    apply:
      said.threshold === null
        ? null
        : {
            method: 'PUT',
            path: `/api/v1/tenants/${tenantId}/settings/detector-overrides`,
            body: { [detector]: said.threshold },
          },
  };
}
