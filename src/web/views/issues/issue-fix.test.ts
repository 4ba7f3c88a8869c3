import { expect, it } from 'vitest';
import type { Issue } from '../../../client/misstep-client.generated.ts';
import { fixProgress, pendingPlan } from './issue-fix.ts';

type Status = Issue['plans'][number]['status'];
const plansOf = (statuses: Status[]) =>
  statuses.map((status, index) => ({ operation_id: `op_${index}`, title: 'A fix', status, fix_outcome: null }));

it.each<[Status[], ReturnType<typeof fixProgress>, string | undefined]>([
  [[], null, undefined],
  [['rejected', 'failed', 'rolled_back'], null, undefined],
  [['rejected', 'applied'], 'applied', undefined],
  [['applied', 'approved', 'pending_approval'], 'pending', 'op_1'],
  [['unknown'], 'pending', 'op_0'],
  [['executing'], 'pending', 'op_0'],
])('with plans that are %j, the fix is %s', (statuses, progress, pending) => {
  expect(fixProgress(plansOf(statuses))).toBe(progress);
  expect(pendingPlan(plansOf(statuses))?.operation_id).toBe(pending);
});
