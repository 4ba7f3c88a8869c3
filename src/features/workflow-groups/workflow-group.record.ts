import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import { fromNanoUsd } from '../../core/trace-figures.ts';
import type { WorkflowTable } from '../../store/analytics-tables.ts';
import type { WorkflowGroupRow } from '../../store/workflow-group.store.ts';
import { type Grade, gradeOf } from '../detections/quality.ts';
import { groupRules } from './group-rules.ts';

const count = z.number().int();
const grade = z.enum(['A', 'B', 'C', 'D', 'F']).nullable().describe('Of the mean score; null while no run has one');

/** A workflow: runs of one source, service and name; sessions of a coding agent: of one project instead of a name. */
export const workflowRecord = z
  .object({
    workflow_id: z.string(),
    source: z.string().describe('Framework of its runs'),
    service_name: z.string().nullable(),
    name: z.string().describe('Name of its runs; for sessions of a coding agent, the folder of their project'),
    open_issues: count.describe('Issues that are open now and whose newest run belongs to it'),
    trace_count: count,
    complexity: z.number().describe('Mean number of steps in a run'),
    average_score: z.number().nullable(),
    grade,
    total_tokens: count,
    cost_usd: z.number(),
    last_seen_at: z.string().describe('Start of its newest run'),
    group_id: z.string().nullable(),
    assignment: z.enum(['manual', 'automatic']).nullable().describe('How it came into its group'),
  })
  .meta({ id: 'Workflow' });
export type WorkflowRecord = z.input<typeof workflowRecord>;

export const workflowGroupRecord = z
  .object({
    group_id: z.string(),
    name: z.string(),
    description: z.string().nullable(),
    color: z.string().nullable(),
    rules: groupRules.nullable(),
    workflow_count: count,
    trace_count: count,
    average_score: z.number().nullable(),
    grade,
    created_at: z.string(),
    updated_at: z.string(),
  })
  .meta({ id: 'WorkflowGroup' });
export type WorkflowGroupRecord = z.input<typeof workflowGroupRecord>;

export function toWorkflowRecord(row: WorkflowTable, openIssues: number): WorkflowRecord {
  return {
    workflow_id: row.workflow_id,
    source: row.source,
    service_name: row.service_name,
    name: row.name,
    open_issues: openIssues,
    trace_count: row.trace_count,
    complexity: complexityOf(row),
    ...scoreOf(row),
    total_tokens: row.tokens,
    cost_usd: fromNanoUsd(row.cost_nano_usd),
    last_seen_at: toRfc3339(row.last_seen_at),
    group_id: row.group_id,
    assignment: row.group_id === null ? null : row.is_manual === 1 ? 'manual' : 'automatic',
  };
}

export function toWorkflowGroupRecord(row: WorkflowGroupRow): WorkflowGroupRecord {
  return {
    group_id: row.group_id,
    name: row.name,
    description: row.description,
    color: row.color,
    rules: row.rules === null ? null : JSON.parse(row.rules),
    workflow_count: row.workflow_count,
    trace_count: row.trace_count,
    ...scoreOf(row),
    created_at: toRfc3339(row.created_at),
    updated_at: toRfc3339(row.updated_at),
  };
}

/** With one decimal. */
export function complexityOf({ step_count, trace_count }: WorkflowTable): number {
  return trace_count === 0 ? 0 : Math.round((step_count / trace_count) * 10) / 10;
}

/** With one decimal; the grade is that of the rounded score. */
export function scoreOf({ scored_count, score_tenths }: { scored_count: number; score_tenths: number }): {
  average_score: number | null;
  grade: Grade | null;
} {
  if (scored_count === 0) return { average_score: null, grade: null };
  const average = Math.round(score_tenths / scored_count) / 10;
  return { average_score: average, grade: gradeOf(average) };
}
