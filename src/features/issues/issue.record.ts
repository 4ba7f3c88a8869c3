import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import { cut } from '../../detectors/_kit/text.ts';
import type { ExampleDetection, IssueDay, IssueFigures, IssueRuns } from '../../store/issue.store.ts';
import type { IssueWorkflow } from '../../store/issue-workflow.store.ts';
import type { IssueTable } from '../../store/schema.ts';
import { detectionType, severity } from '../_kit/vocabulary.ts';
import { type FixOutcome, fixOutcome, type IssuePlan, issuePlan } from './fix-outcome.record.ts';
import { RECENT_DAYS } from './impact.ts';
import { type IssueStatus, statusAt } from './triage.ts';

/** Statuses as people see them: an issue that is ignored until a time is snoozed. */
export const ISSUE_STATUSES = ['open', 'resolved', 'ignored', 'snoozed'] as const;

/** Of those that a record names. */
export const MAX_WORKFLOWS = 20;

const NEW_MS = 86_400_000;

/** What isNewSince counts as new; also the text of the filter. */
export const NEW_ISSUE =
  'Open, first detected in the last 24 hours, and nobody has acted on it: no person has set its status, and it has no plan';

/** An issue that was first detected earlier is not new. Unix milliseconds. */
export const newSince = (now: number): number => now - NEW_MS;

const EXPLANATION_LENGTH = 300;

const time = z.iso.datetime();

const issueWorkflow = z
  .object({
    workflow_id: z.string(),
    name: z.string().describe('Name of its runs; for sessions of a coding agent, the folder of their project'),
    service_name: z.string().nullable(),
    source: z.string().describe('Framework of its runs'),
  })
  .meta({ id: 'IssueWorkflow' });

/** The same failure across runs. */
export const issueRecord = z
  .object({
    issue_id: z.string(),
    detection_type: detectionType,
    subtype: z.string(),
    title: z.string(),
    severity,
    status: z.enum(ISSUE_STATUSES).describe('`snoozed`: ignored until `ignored_until`'),
    is_new: z.boolean().describe(NEW_ISSUE),
    regressed_at: time.nullable().describe('When it recurred after it was resolved'),
    resolved_at: time.nullable(),
    resolved_by: z.string().nullable().describe('Null: all its detections were withdrawn'),
    ignored_at: time.nullable(),
    ignored_until: time.nullable().describe('It is open again after this time'),
    ignored_runs_left: z.number().int().nullable().describe('It is open again when it has recurred in so many runs'),
    first_seen_at: time.describe('When its first detection was made; the run may be older'),
    last_seen_at: time.describe('When its newest detection was made; the run may be older'),
    count: z.number().int().describe('Detections that are neither withdrawn nor marked as false'),
    run_count: z.number().int().describe('Runs with such a detection'),
    first_run_at: time.nullable().describe('Start of the first such run; null without one'),
    last_run_at: time.nullable().describe('Start of the last such run'),
    plans: z.array(issuePlan).describe('The newest 20 plans that fix it'),
    fix_outcome: fixOutcome
      .nullable()
      .describe('Since the newest fix: an applied plan, or its resolution by a person; null without either'),
    runs_by_day: z
      .array(z.number().int())
      .length(RECENT_DAYS)
      .describe('Runs by the UTC day on which they began; the last one is today'),
    impact: z.number().describe('Weight of the severity × runs of these days × (1 + wasted USD of these days)'),
    example_detection_id: z.string().nullable().describe('The newest detection'),
    example_explanation: z.string().nullable().describe('Its explanation, at most 300 characters'),
    affected_agents: z.array(z.string()),
    affected_workflows: z
      .array(issueWorkflow)
      .describe(`Workflows of its runs, at most ${MAX_WORKFLOWS}, that of the newest run first`),
    wasted_tokens: z.number(),
    wasted_cost_usd: z.number(),
    run_cost_usd: z
      .number()
      .nullable()
      .describe('What the runs with it cost in all, wasted or not; null if the cost of none is known'),
    fingerprint: z.string().describe('Of the failure and its service, or its workflow if the service is not known'),
  })
  .meta({ id: 'Issue' });
export type IssueRecord = z.input<typeof issueRecord>;

export interface IssueParts {
  isNew: boolean;
  figures: readonly IssueFigures[];
  days: readonly IssueDay[];
  runs: IssueRuns | null;
  workflows: readonly IssueWorkflow[];
  plans: IssuePlan[];
  fixOutcome: FixOutcome | null;
  impact: number;
  example: ExampleDetection | null;
}

export function toIssueRecord(row: IssueTable, parts: IssueParts, now: number): IssueRecord {
  const sumOf = (value: (figure: IssueFigures) => number) =>
    parts.figures.reduce((sum, figure) => sum + value(figure), 0);
  const status = statusAt(row, now);
  const isIgnored = status === 'ignored';
  return {
    issue_id: row.issue_id,
    detection_type: row.detection_type as IssueRecord['detection_type'],
    subtype: row.subtype,
    title: row.title,
    severity: row.severity as IssueRecord['severity'],
    status: shownStatus(status, row.ignored_until),
    is_new: parts.isNew,
    regressed_at: toTime(row.regressed_at),
    resolved_at: toTime(row.resolved_at),
    resolved_by: row.resolved_by,
    ignored_at: isIgnored ? toTime(row.ignored_at) : null,
    ignored_until: isIgnored ? toTime(row.ignored_until) : null,
    ignored_runs_left: isIgnored ? row.ignored_runs_left : null,
    first_seen_at: toRfc3339(row.first_seen_at),
    last_seen_at: toRfc3339(row.last_seen_at),
    count: sumOf((figure) => figure.count),
    run_count: parts.runs?.count ?? 0,
    first_run_at: toTime(parts.runs?.firstStartedAt ?? null),
    last_run_at: toTime(parts.runs?.lastStartedAt ?? null),
    plans: parts.plans,
    fix_outcome: parts.fixOutcome,
    runs_by_day: runsByDay(parts.days),
    impact: parts.impact,
    example_detection_id: parts.example?.detectionId ?? null,
    example_explanation: parts.example === null ? null : cut(parts.example.explanation, EXPLANATION_LENGTH),
    affected_agents: parts.figures.flatMap(({ agentId }) => (agentId === null ? [] : [agentId])),
    affected_workflows: parts.workflows.map(({ workflowId, name, serviceName, source }) => ({
      workflow_id: workflowId,
      name,
      service_name: serviceName,
      source,
    })),
    wasted_tokens: sumOf((figure) => figure.wastedTokens),
    wasted_cost_usd: sumOf((figure) => figure.wastedCostUsd),
    run_cost_usd: parts.runs?.costUsd ?? null,
    fingerprint: row.fingerprint,
  };
}

function shownStatus(status: IssueStatus, ignoredUntil: number | null): IssueRecord['status'] {
  return status === 'ignored' && ignoredUntil !== null ? 'snoozed' : status;
}

function runsByDay(days: readonly IssueDay[]): number[] {
  const runs = Array.from({ length: RECENT_DAYS }, () => 0);
  // A run whose clock is ahead of this one counts as of today.
  for (const { day, runs: count } of days) runs[Math.min(day, RECENT_DAYS - 1)]! += count;
  return runs;
}

function toTime(ms: number | null): string | null {
  return ms === null ? null : toRfc3339(ms);
}
