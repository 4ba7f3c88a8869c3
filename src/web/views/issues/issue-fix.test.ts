import { expect, it } from 'vitest';
import type { Issue } from '../../../client/misstep-client.generated.ts';
import { fixProgress, pendingPlan } from './issue-fix.ts';

type Status = Issue['plans'][number]['status'];
const plansOf = (statuses: Status[]) =>
  statuses.map((status, index) => ({
    operation_id: `op_${index}`,
    fix_id: null,
    title: 'A fix',
    status,
    fix_outcome: null,
  }));

it.each<[Status[], ReturnType<typeof fixProgress>, string | undefined]>([
  [[], null, undefined],
  [['rejected', 'failed', 'rolled_back'], null, undefined],
  [['rejected', 'applied'], 'applied', undefined],
  [['applied', 'approved', 'pending_approval'], 'approved', 'op_1'],
  [['pending_approval'], 'pending approval', 'op_0'],
  [['unknown'], 'outcome unknown', 'op_0'],
  [['executing'], 'in progress', 'op_0'],
])('with plans that are %j, the fix is %s', (statuses, progress, pending) => {
  expect(fixProgress({ plans: plansOf(statuses), status: 'open', fix_outcome: null })).toBe(progress);
  expect(pendingPlan(plansOf(statuses))?.operation_id).toBe(pending);
});

it.each([
  ['open', ['applied'], 1, 'did not hold'],
  ['snoozed', ['applied'], 1, 'did not hold'],
  ['resolved', ['applied'], 1, 'applied'],
  ['open', ['applied'], 0, 'applied'],
  ['open', ['pending_approval', 'applied'], 1, 'pending approval'],
  ['open', ['rolled_back'], 1, null],
  ['open', [], 1, null],
] as const)(
  'an issue that is %s with plans that are %j, detected again in %i run: the fix is %s',
  (status, statuses, recurrence_count, progress) => {
    const fix_outcome = {
      since: '2026-01-15T12:00:00Z',
      run_count: 2,
      recurrence_count,
      agent_id: null,
      workflow_id: null,
    };
    expect(fixProgress({ plans: plansOf([...statuses]), status, fix_outcome })).toBe(progress);
  },
);
