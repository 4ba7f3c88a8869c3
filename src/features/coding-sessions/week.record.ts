import { z } from 'zod';
import { SESSION_ENDS } from '../../core/trace.ts';

const sessionIds = z.array(z.string()).describe('Sessions in which it happened, newest first');
const project = z.string().nullable();

const proposal = z
  .object({
    project,
    file: z.enum(['CLAUDE.md', 'AGENTS.md']),
    line: z.string().describe('Line to add to the file; it is shown, never applied'),
    because: z.string(),
    sessions: sessionIds,
  })
  .meta({ id: 'InstructionProposal' });

/** Summary of the coding sessions of some days. */
export const sessionWeekRecord = z
  .object({
    from: z.string(),
    to: z.string(),
    session_count: z.number().int(),
    incomplete_count: z.number().int().describe('Sessions without figures: they could not be read in full'),
    cost_usd: z.number().nullable().describe('Without the models in `unpriced_models`'),
    unpriced_models: z.array(z.string()),
    partial_usage_calls: z
      .number()
      .int()
      .describe('Model calls whose recorded output tokens are incomplete: the cost is a lower bound'),
    prices_as_of: z.string().describe('Date of the price list'),
    refusals: z.number().int(),
    interrupts: z.number().int(),
    failures: z.number().int(),
    compactions: z.number().int(),
    ended_by: z.partialRecord(z.enum(SESSION_ENDS), z.number().int()).describe('Sessions by how they ended'),
    days: z.array(z.object({ date: z.string(), session_count: z.number().int(), cost_usd: z.number().nullable() })),
    projects: z
      .array(
        z.object({
          project,
          session_count: z.number().int(),
          cost_usd: z.number().nullable(),
          refusals: z.number().int(),
          failures: z.number().int(),
          branches: z.array(
            z.object({ branch: z.string(), session_count: z.number().int(), cost_usd: z.number().nullable() }),
          ),
        }),
      )
      .describe('Most expensive first'),
    corrections: z
      .array(z.object({ project, text: z.string(), times: z.number().int(), sessions: sessionIds }))
      .describe('Corrections by users, the most frequent first'),
    detours: z
      .array(
        z.object({
          project,
          session_id: z.string(),
          kind: z.string(),
          text: z.string(),
          cost_usd: z.number(),
          tokens: z.number(),
        }),
      )
      .describe('Most expensive first'),
    failing_tests: z
      .array(z.object({ project, name: z.string(), runs: z.number().int(), sessions: sessionIds, solved: z.boolean() }))
      .describe('Tests that failed in run after run, most runs first'),
    lost_instructions: z.array(
      z.object({
        project,
        session_id: z.string(),
        text: z.string(),
        before: z.string().describe('The instruction before the compaction'),
      }),
    ),
    reread_count: z.number().int().describe('Files read again after compactions'),
    proposals: z.array(proposal),
  })
  .meta({ id: 'CodingSessionWeek' });
export type SessionWeek = z.output<typeof sessionWeekRecord>;
