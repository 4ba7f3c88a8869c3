import { z } from 'zod';
import { REFUSED_BY } from '../../core/trace.ts';
import { severity } from '../_kit/vocabulary.ts';
import { codingSessionRecord } from './session.record.ts';

const step = z.number().int().describe('Index into the steps of the trace');

const prompt = z.object({ step, at: z.string().nullable(), text: z.string() }).meta({ id: 'CodingSessionPrompt' });

export const PROBLEM_KINDS = [
  'detection',
  'refusal',
  'interrupt',
  'correction',
  'lost_instruction',
  'failing_test',
  'polling',
  'compaction_rereads',
  'rereads',
  'failed_edits',
  'repeated_subagent_work',
] as const;

const problem = z
  .object({
    kind: z.enum(PROBLEM_KINDS),
    step: step.nullable(),
    at: z.string().nullable(),
    text: z.string(),
    detail: z.string().nullable(),
    severity: severity.nullable().describe('Of a detection'),
    detection_type: z.string().nullable().describe('`type/subtype` of a detection'),
    refused_by: z.enum(REFUSED_BY).nullable(),
    cost_usd: z.number().nullable().describe('What these steps cost; null where it is not known'),
  })
  .meta({ id: 'CodingSessionProblem' });

const done = z
  .object({
    files: z.array(z.object({ path: z.string(), edits: z.number().int() })).describe('Changed files, most edits first'),
    file_count: z.number().int(),
    commands: z
      .array(z.object({ command: z.string(), runs: z.number().int(), failures: z.number().int() }))
      .describe('Commands without test runs, most runs first'),
    command_count: z.number().int().describe('Runs of commands'),
    tests: z
      .array(
        z.object({
          command: z.string(),
          runs: z.number().int(),
          failures: z.number().int(),
          last: z.enum(['passed', 'failed', 'unknown']),
        }),
      )
      .describe('Test runs by command'),
    tools: z.array(z.object({ name: z.string(), calls: z.number().int() })).describe('Most calls first'),
    call_count: z.number().int(),
  })
  .meta({ id: 'CodingSessionWork' });

const cost = z
  .object({
    cost_usd: z.number().nullable(),
    input_tokens: z.number().nullable().describe('With cached tokens'),
    cache_read_tokens: z.number().nullable(),
    cache_write_tokens: z.number().nullable(),
    output_tokens: z.number().nullable(),
    models: z.array(
      z.object({
        model: z.string(),
        calls: z.number().int(),
        tokens: z.number(),
        cost_usd: z.number().nullable().describe('Null where the price is not known'),
      }),
    ),
    prices_as_of: z.string().describe('Date of the price list'),
  })
  .meta({ id: 'CodingSessionCost' });

/** The report of one session: tasks, work, problems, cost and end. */
export const sessionReportRecord = z
  .object({
    session: codingSessionRecord,
    asked: z.array(prompt).describe('Prompts of the user in order'),
    prompt_count: z.number().int(),
    done,
    problems: z.array(problem).describe('In order of steps; problems of the whole session are last'),
    problem_count: z.number().int(),
    cost,
    final_answer: z.string().nullable(),
  })
  .meta({ id: 'CodingSessionReport' });
export type SessionReport = z.output<typeof sessionReportRecord>;
export type SessionProblem = SessionReport['problems'][number];
