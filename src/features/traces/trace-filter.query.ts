import { z } from 'zod';
import { isAtLeast, SEVERITIES } from '../../core/severity.ts';
import type { TraceFilter } from '../../store/trace-list.store.ts';
import { dateQuery } from '../_kit/page.ts';
import { grade, sessionEnd, severity, traceStatus } from '../_kit/vocabulary.ts';
import { scoresOfGrade } from '../detections/quality.ts';
import { idList, MAX_IDS } from './id-list.ts';

const id = z.string().max(1000);

/** Query members that select traces: of the list, its facets and its histogram. */
export const traceFilterQuery = z.object({
  ids: idList.optional().describe(`Only these traces: ids separated by commas, at most ${MAX_IDS}`),
  agent_id: z.string().optional().describe('Only traces this agent took part in'),
  status: traceStatus.optional(),
  framework: z.string().optional().describe('Only runs of this framework'),
  model: id.optional().describe('Only runs that used this model'),
  severity: severity.optional().describe('Only traces whose worst detection has this severity'),
  min_severity: severity.optional().describe('Only traces with a detection at least as severe'),
  grade: grade.optional().describe('Only traces with this grade'),
  min_cost: z.coerce.number().min(0).max(1e9).optional().describe('Minimum cost in US dollars'),
  unpriced: z
    .boolean()
    .optional()
    .describe('True: only traces with model calls whose cost is not known, as counted in the analytics of cost'),
  min_duration: z.coerce
    .number()
    .min(0)
    .max(1e12)
    .optional()
    .describe('Only ended traces with at least this duration, in milliseconds'),
  q: z
    .string()
    .min(1)
    .max(200)
    .optional()
    .describe('In name, task, title, service, agents or models, case-insensitive; or the beginning of the trace id'),
  text: z.string().min(1).max(200).optional().describe('In name or task, case-insensitive'),
  workflow_id: z.string().optional().describe('Only runs of this workflow'),
  project: id.optional().describe("Only coding agents' sessions on this project: its root folder"),
  branch: id.optional().describe("Only coding agents' sessions on this branch"),
  ended_by: sessionEnd.optional().describe('Only coding agent sessions with this end'),
  group_id: z.string().optional().describe('Only runs of workflows in this group'),
  include_bookkeeping: z
    .boolean()
    .default(false)
    .describe('Includes bookkeeping traces of coding agents, which contain no run'),
  date_from: dateQuery.optional().describe('Started at or after'),
  date_to: dateQuery.optional().describe('Started before'),
});

export function toTraceFilter(input: z.output<typeof traceFilterQuery>): TraceFilter {
  const { min_severity: floor } = input;
  return {
    traceIds: input.ids ?? null,
    agentId: input.agent_id ?? null,
    status: input.status ?? null,
    framework: input.framework ?? null,
    model: input.model ?? null,
    severity: input.severity ?? null,
    severities: floor ? SEVERITIES.filter((one) => isAtLeast(one, floor)) : null,
    score: input.grade ? scoresOfGrade(input.grade) : null,
    minCostUsd: input.min_cost ?? null,
    isUnpriced: input.unpriced ?? false,
    minDurationMs: input.min_duration ?? null,
    search: input.q ?? null,
    text: input.text ?? null,
    project: input.project ?? null,
    branch: input.branch ?? null,
    endedBy: input.ended_by ?? null,
    workflowId: input.workflow_id ?? null,
    groupId: input.group_id ?? null,
    isRun: !input.include_bookkeeping,
    from: input.date_from ?? null,
    to: input.date_to ?? null,
  };
}
