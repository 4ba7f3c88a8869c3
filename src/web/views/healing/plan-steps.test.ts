import { describe, expect, it } from 'vitest';
import { stagesOf } from './plan-steps.ts';

const PLAN: Parameters<typeof stagesOf>[0] = {
  status: 'pending_approval',
  action: null,
  policy: 'manual',
  approvals: [],
  created_at: 't0',
  created_by: 'key_1',
  updated_at: 't9',
  started_at: null,
  applied_at: null,
  rolled_back_at: null,
  note: null,
  fix_outcome: null,
};
const approvals = [{ by: 'key_2', at: 't1', note: 'looks right' }];
const outcome = (run_count: number, recurrence_count: number) => ({
  since: '2026-01-15T12:00:00Z',
  run_count,
  recurrence_count,
  agent_id: null,
  workflow_id: null,
});
const stageTexts = (plan: Partial<typeof PLAN>) =>
  stagesOf({ ...PLAN, ...plan }).map(({ title, state }) => (state === 'ahead' ? `(${title})` : `${title}: ${state}`));

describe('stagesOf', () => {
  it.each<[string, Partial<typeof PLAN>, string[]]>([
    ['pending', {}, ['Pending approval: now', '(Approved)', '(In progress)', '(Applied)']],
    [
      'approved',
      { status: 'approved', approvals },
      ['Pending approval: done', 'Approved: now', '(In progress)', '(Applied)'],
    ],
    [
      'executing',
      { status: 'executing', action: 'apply', approvals },
      ['Pending approval: done', 'Approved: done', 'In progress: now', '(Applied)'],
    ],
    [
      'applied',
      { status: 'applied', action: 'apply', approvals },
      ['Pending approval: done', 'Approved: done', 'In progress: done', 'Applied: now'],
    ],
    [
      'applied after a rollback that changed nothing',
      { status: 'applied', action: 'rollback', approvals },
      ['Pending approval: done', 'Approved: done', 'In progress: done', 'Applied: now'],
    ],
    [
      'applied, before another run',
      { status: 'applied', action: 'apply', approvals, fix_outcome: outcome(0, 0) },
      ['Pending approval: done', 'Approved: done', 'In progress: done', 'Applied: now', '(No run since then)'],
    ],
    [
      'applied, with a run that does not decide yet',
      { status: 'applied', action: 'apply', approvals, fix_outcome: outcome(1, 0) },
      [
        'Pending approval: done',
        'Approved: done',
        'In progress: done',
        'Applied: now',
        'Not detected in 1 run since then: open',
      ],
    ],
    [
      'applied and holds',
      { status: 'applied', action: 'apply', approvals, fix_outcome: outcome(3, 0) },
      [
        'Pending approval: done',
        'Approved: done',
        'In progress: done',
        'Applied: now',
        'Not detected in 3 runs since then: done',
      ],
    ],
    [
      'applied and does not hold',
      { status: 'applied', action: 'apply', approvals, fix_outcome: outcome(3, 1) },
      [
        'Pending approval: done',
        'Approved: done',
        'In progress: done',
        'Applied: now',
        'Detected again in 1 of 3 runs since then: failed',
      ],
    ],
    ['rejected before an approval', { status: 'rejected' }, ['Pending approval: done', 'Rejected: failed']],
    [
      'rejected after an approval',
      { status: 'rejected', approvals },
      ['Pending approval: done', 'Approved: done', 'Rejected: failed'],
    ],
    [
      'failed',
      { status: 'failed', action: 'apply', approvals },
      ['Pending approval: done', 'Approved: done', 'In progress: done', 'Failed: failed'],
    ],
    [
      'unknown',
      { status: 'unknown', action: 'apply', approvals },
      ['Pending approval: done', 'Approved: done', 'In progress: done', 'Outcome unknown: failed'],
    ],
    [
      'being rolled back',
      { status: 'executing', action: 'rollback', approvals },
      ['Pending approval: done', 'Approved: done', 'In progress: done', 'Applied: done', 'Rolling back: now'],
    ],
    [
      'rolled back',
      { status: 'rolled_back', action: 'rollback', approvals },
      ['Pending approval: done', 'Approved: done', 'In progress: done', 'Applied: done', 'Rolled back: now'],
    ],
    [
      'unknown after a rollback',
      { status: 'unknown', action: 'rollback', approvals },
      ['Pending approval: done', 'Approved: done', 'In progress: done', 'Applied: done', 'Outcome unknown: failed'],
    ],
  ])('the stages of a plan that is %s', (_name, plan, expected) => expect(stageTexts(plan)).toEqual(expected));

  it('names the approver and quotes the note', () => {
    expect(stagesOf({ ...PLAN, status: 'approved', approvals })[1]).toMatchObject({
      at: 't1',
      detail: 'by key_2: looks right',
    });
    expect(stagesOf({ ...PLAN, status: 'approved', approvals }, () => 'first key')[1]?.detail).toBe(
      'by first key: looks right',
    );
    expect(stagesOf({ ...PLAN, status: 'approved', approvals, policy: 'auto' })[1]?.detail).toContain('policy');
  });
});
