import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import { severity } from '../_kit/vocabulary.ts';
import { fixOutcome } from '../issues/fix-outcome.record.ts';
import type { FixedIssue } from '../issues/fix-outcome.ts';
import { ISSUE_STATUSES } from '../issues/issue.record.ts';
import { FIX_TYPES, RISKS } from './healing-policy.ts';
import { HEALING_STATUSES } from './healing-state.ts';
import { planOf } from './operation-plan.ts';

const time = z.iso.datetime();

export const FOUND = ['before', 'after', 'other', 'unreadable'] as const;

const planIssue = z
  .object({ issue_id: z.string(), title: z.string(), severity, status: z.enum(ISSUE_STATUSES) })
  .meta({ id: 'PlanIssue' });

const summary = {
  operation_id: z.string(),
  detection_id: z.string(),
  issue: planIssue.nullable().describe('Null: the detection belongs to no issue'),
  fix_outcome: fixOutcome.nullable().describe('Null unless it is applied, and without an issue'),
  fix_id: z.string().nullable().describe('Null if the change was custom'),
  fix_type: z.enum(FIX_TYPES),
  title: z.string(),
  risk: z.enum(RISKS),
  executor: z.string().describe('`manual`: applied by a person'),
  target: z.record(z.string(), z.json()).describe('Secrets are masked'),
  target_text: z.string(),
  policy: z.enum(['manual', 'auto']).describe('Who approved it: a person or the policy'),
  status: z.enum(HEALING_STATUSES),
  action: z.enum(['apply', 'rollback']).nullable().describe('The action that was started last'),
  approvals: z.array(z.object({ by: z.string().nullable(), at: time, note: z.string().nullable() })),
  verification: z
    .object({ checked_at: time, found: z.enum(FOUND).describe('Content of the target') })
    .nullable()
    .describe('The last read of the target'),
  error: z.string().nullable(),
  note: z.string().nullable(),
  created_by: z.string().nullable().describe('Id of the API key, or `operator`'),
  created_at: time,
  updated_at: time,
  started_at: time.nullable(),
  applied_at: time.nullable(),
  rolled_back_at: time.nullable(),
};
export const healingSummary = z.object(summary).meta({ id: 'HealingSummary' });
export type HealingSummary = z.input<typeof healingSummary>;

export const healingRecord = z
  .object({
    ...summary,
    plan: z.array(
      z.object({
        step: z.int(),
        description: z.string(),
        format: z.enum(['json-patch', 'unified-diff', 'text']).describe('Format of `patch` and `inverse`'),
        patch: z.string().describe('The change: a unified diff, or the description in the fix'),
        inverse: z.string().nullable().describe('The inverse change'),
      }),
    ),
    before: z.string().nullable().describe('Content of the target at planning'),
    after: z.string().nullable().describe('The content after it is applied'),
    rollback: z.object({
      available: z.boolean(),
      inverse: z.string().nullable().describe('The change that a rollback makes, as a unified diff'),
    }),
  })
  .meta({ id: 'HealingOperation' });
export type HealingRecord = z.input<typeof healingRecord>;

/** Renders a target: by its executor, which knows its secrets. */
export interface ShownTarget {
  target: Record<string, z.core.util.JSONType>;
  text: string;
}

export function toHealingSummary(
  row: HealingOperationTable,
  { target, text }: ShownTarget,
  fixed: FixedIssue | null,
): HealingSummary {
  return {
    operation_id: row.operation_id,
    detection_id: row.detection_id,
    issue: fixed?.issue ?? null,
    fix_outcome: fixed?.outcome ?? null,
    fix_id: row.fix_id,
    fix_type: row.fix_type as HealingSummary['fix_type'],
    title: row.title,
    risk: row.risk as HealingSummary['risk'],
    executor: row.executor,
    target,
    target_text: text,
    policy: row.policy as HealingSummary['policy'],
    status: row.status as HealingSummary['status'],
    action: row.action as HealingSummary['action'],
    approvals: JSON.parse(row.approvals) as HealingSummary['approvals'],
    verification: JSON.parse(row.verification ?? 'null') as HealingSummary['verification'],
    error: row.error,
    note: row.note,
    created_by: row.created_by,
    created_at: toRfc3339(row.created_at),
    updated_at: toRfc3339(row.updated_at),
    started_at: timeOf(row.started_at),
    applied_at: timeOf(row.applied_at),
    rolled_back_at: timeOf(row.rolled_back_at),
  };
}

export function toHealingRecord(
  row: HealingOperationTable,
  shown: ShownTarget,
  fixed: FixedIssue | null,
): HealingRecord {
  const plan = planOf(row, shown.text);
  return {
    ...toHealingSummary(row, shown, fixed),
    plan,
    before: row.content_before,
    after: row.content_after,
    rollback: { available: row.status === 'applied', inverse: row.content_before === null ? null : plan[0]!.inverse },
  };
}

function timeOf(ms: number | null): string | null {
  return ms === null ? null : toRfc3339(ms);
}
