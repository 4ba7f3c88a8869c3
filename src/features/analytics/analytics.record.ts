import { z } from 'zod';
import { detectionType } from '../_kit/vocabulary.ts';

const count = z.number().int();
const date = z.string().describe('UTC day, e.g. 2026-01-31');

/** Days of the response, both inclusive. */
const range = {
  days: z.number().int(),
  date_from: date,
  date_to: date,
};

export const loopAnalytics = z
  .object({
    ...range,
    total: count.describe('Loops without withdrawn ones and observations'),
    by_method: z.record(z.string(), count).describe('By the way of looping, the `subtype` of the detection'),
    average_length: z.number().nullable().describe('Mean number of steps in a loop; null if there is none'),
    wasted_tokens: count,
    wasted_cost_usd: z.number(),
    affected_agents: z.array(z.object({ agent_id: z.string(), count })).describe('Most loops first, at most 100'),
    time_series: z.array(z.object({ date, count })).describe('Every day, oldest first'),
  })
  .meta({ id: 'LoopAnalytics' });
export type LoopAnalytics = z.input<typeof loopAnalytics>;

const spent = z.object({
  cost_usd: z.number(),
  tokens: count,
  traces: count.describe('For a model: traces that name it'),
});

export const costAnalytics = z
  .object({
    ...range,
    total_cost_usd: z.number(),
    wasted_cost_usd: z.number().describe('Wasted by failures; a step counts once for each detection that names it'),
    wasted_tokens: count,
    total_tokens: count,
    total_traces: count,
    unpriced_traces: count.describe(
      'Traces with model calls whose cost is not known: no price of their model, or no tokens',
    ),
    by_framework: z.record(z.string(), spent),
    by_model: z.record(z.string(), spent).describe('`unknown`: spent by steps that name no model'),
    by_day: z.array(z.object({ date, cost_usd: z.number(), tokens: count })).describe('Every day, oldest first'),
    top_traces: z
      .array(
        z.object({
          trace_id: z.string(),
          name: z.string(),
          framework: z.string(),
          started_at: z.string(),
          cost_usd: z.number(),
          total_tokens: z.number(),
        }),
      )
      .describe('The ten that cost most'),
  })
  .meta({ id: 'CostAnalytics' });
export type CostAnalytics = z.input<typeof costAnalytics>;

export const SCORE_BANDS = [
  '0-10',
  '10-20',
  '20-30',
  '30-40',
  '40-50',
  '50-60',
  '60-70',
  '70-80',
  '80-90',
  '90-100',
] as const;

export const qualityAnalytics = z
  .object({
    ...range,
    total: count.describe('Traces that have a score'),
    average: z.number().nullable(),
    score_distribution: z
      .object(
        Object.fromEntries(SCORE_BANDS.map((band) => [band, count])) as Record<
          (typeof SCORE_BANDS)[number],
          typeof count
        >,
      )
      .describe('A score on a border belongs to the upper band; 100 to `90-100`'),
    grades: z.object({ A: count, B: count, C: count, D: count, F: count }),
    trend: z
      .array(z.object({ date, average: z.number().nullable(), count }))
      .describe('Every day, oldest first; null where nothing was scored'),
    top_detections: z
      .array(z.object({ detection_type: detectionType, count }))
      .describe('Most frequent first, at most ten'),
  })
  .meta({ id: 'QualityAnalytics' });
export type QualityAnalytics = z.input<typeof qualityAnalytics>;
