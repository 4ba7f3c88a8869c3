import { z } from 'zod';
import { detectionType, severity } from '../_kit/vocabulary.ts';
import { agentRecord } from './agent.record.ts';

const count = z.number().int();
const names = z.array(z.string());

/** Runs of an agent beyond this number are not counted. */
export const MAX_TRACES = 100_000;
/** Its newest runs, which `recent` is about. */
export const RECENT_RUNS = 200;

export const agentDetailRecord = agentRecord
  .extend({
    trace_count: count.describe('Traces in which the agent acted; 100,000 means that many or more'),
    recent: z
      .object({
        runs: count,
        errors: count,
        running: count,
        frameworks: names,
        models: names.describe('Used in these runs, by any agent'),
      })
      .describe(`Of its newest ${RECENT_RUNS} runs`),
    detections: z
      .array(
        z.object({
          detection_type: detectionType,
          subtype: z.string(),
          severity,
          count,
          traces: count,
          wasted_tokens: z.number(),
          wasted_cost_usd: z.number(),
        }),
      )
      .describe('Detections that it caused in `days` days, the most frequent first, at most 100 kinds'),
  })
  .meta({ id: 'AgentDetail' });
export type AgentDetailRecord = z.input<typeof agentDetailRecord>;
