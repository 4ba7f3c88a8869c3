import { z } from 'zod';
import { HEALING_STATUSES } from '../healing/healing-state.ts';

/** Each count of runs stops here, so that an old fix costs no more than a new one. */
export const MAX_RUNS = 1_000;

/** What the runs after a fix show: whether it holds. */
export const fixOutcome = z
  .object({
    since: z.iso.datetime().describe('When the plan was applied, or the issue was resolved by a person'),
    run_count: z
      .number()
      .int()
      .describe(
        `Analyzed runs that began after it, of the same agent and service or else of the same workflow; at most ${MAX_RUNS}`,
      ),
    recurrence_count: z.number().int().describe('Those of them in which the issue was detected again'),
    agent_id: z.string().nullable().describe('Its runs are counted; null: those of the workflow are'),
    workflow_id: z.string().nullable().describe('Its runs are counted; null if those of the agent are'),
  })
  .meta({ id: 'FixOutcome' });
export type FixOutcome = z.input<typeof fixOutcome>;

/** A plan that fixes an issue. */
export const issuePlan = z
  .object({
    operation_id: z.string(),
    fix_id: z.string().nullable().describe('Null if the change was custom'),
    title: z.string(),
    status: z.enum(HEALING_STATUSES),
    fix_outcome: fixOutcome.nullable().describe('Null unless it is applied'),
  })
  .meta({ id: 'IssuePlan' });
export type IssuePlan = z.input<typeof issuePlan>;
