import { expect, test } from 'vitest';
import { heldFixes } from './held-fixes.ts';

const RUN = { agent_ids: ['planner', 'critic'], started_at: '2026-05-02T10:00:00Z' };
const issue = (issue_id: string, agent_id: string | null, since: string) => ({
  issue_id,
  fix_outcome: { since, run_count: 1, recurrence_count: 0, agent_id, workflow_id: null },
});

test('fixes that were applied before the run, for its agents', () => {
  const before = issue('a', 'planner', '2026-05-02T09:00:00Z');
  const others = [
    issue('b', 'planner', '2026-05-02T11:00:00Z'),
    issue('c', 'clerk', '2026-05-02T09:00:00Z'),
    issue('d', null, '2026-05-02T09:00:00Z'),
    { issue_id: 'e', fix_outcome: null },
  ];
  expect(heldFixes([before, ...others], RUN)).toEqual([before]);
});
