import { describe, expect, it } from 'vitest';
import { zonedTimeText } from '../../parts/times.ts';
import {
  didNotHold,
  type FixPlan,
  inOrderOfUse,
  namedPlans,
  nextFix,
  planOfFix,
  planStateText,
  planStatusText,
} from './fix-plans.ts';

const NOON = '2026-01-15T12:00:00Z';
const fix = (fix_id: string, confidence: number, applied_at: string | null = null) => ({
  fix_id,
  confidence,
  applied_at,
});
const FIXES = [fix('fix_run2_aaaa', 0.7), fix('fix_run2_bbbb', 0.4), fix('fix_run2_cccc', 0.5)];
const plan = (fix_id: string | null, status: FixPlan['status']): FixPlan => ({ fix_id, status });

describe('planOfFix', () => {
  it.each<[string, FixPlan[], FixPlan['status'] | undefined]>([
    ['no plan', [], undefined],
    ['a plan of the same fix of another run', [plan('fix_run1_aaaa', 'applied')], 'applied'],
    ['a plan of another fix', [plan('fix_run1_bbbb', 'applied')], undefined],
    ['a custom change', [plan(null, 'applied')], undefined],
    ['a plan that was rolled back', [plan('fix_run1_aaaa', 'rolled_back')], undefined],
    ['two plans', [plan('fix_run2_aaaa', 'approved'), plan('fix_run1_aaaa', 'applied')], 'approved'],
  ])('%s', (_case, plans, status) => {
    expect(planOfFix('fix_run2_aaaa', plans)?.status).toBe(status);
  });
});

it.each<[string, FixPlan[], string | undefined]>([
  ['no plan', [], 'fix_run2_aaaa'],
  ['an applied plan', [plan('fix_run1_aaaa', 'applied')], 'fix_run2_cccc'],
  ['a pending plan', [plan('fix_run1_aaaa', 'pending_approval')], 'fix_run2_cccc'],
  [
    'a pending plan beside applied ones',
    [plan('fix_run1_aaaa', 'pending_approval'), plan('fix_run1_bbbb', 'applied'), plan('fix_run1_cccc', 'applied')],
    'fix_run2_aaaa',
  ],
  ['only applied plans', ['aaaa', 'bbbb', 'cccc'].map((key) => plan(`fix_run1_${key}`, 'applied')), undefined],
])('the next fix with %s', (_case, plans, expected) => {
  expect(nextFix(FIXES, plans)?.fix_id).toBe(expected);
});

it('a fix that is recorded as applied is not the next one', () => {
  expect(nextFix([fix('fix_run2_aaaa', 0.7, '2026-01-15T12:00:00Z'), FIXES[1]!], [])).toBe(FIXES[1]);
});

it('fixes with a plan come last', () => {
  expect(inOrderOfUse(FIXES, [plan('fix_run1_aaaa', 'applied')])).toEqual([FIXES[1], FIXES[2], FIXES[0]]);
});

it.each([
  ['applied', 2, 1, true],
  ['applied', 2, 0, false],
  ['applied', 0, 0, false],
  ['rolled_back', 2, 1, false],
] as const)(
  'a plan that is %s, with %i runs since and the failure in %i',
  (status, run_count, recurrence_count, expected) => {
    const fix_outcome = {
      since: '2026-01-15T12:00:00Z',
      run_count,
      recurrence_count,
      agent_id: null,
      workflow_id: null,
    };
    expect(didNotHold({ status, fix_outcome })).toBe(expected);
  },
);

it.each([
  ['applied', 1, 'open', 'Applied, did not hold'],
  ['applied', 1, 'resolved', 'Applied'],
  ['applied', 0, 'open', 'Applied'],
  ['rolled_back', 1, 'open', 'Rolled back'],
] as const)(
  'the status of a plan that is %s, with the failure in %i runs and an issue that is %s: %s',
  (status, recurrence_count, issueStatus, text) => {
    const since = '2026-01-15T12:00:00Z';
    const fix_outcome = { since, run_count: 3, recurrence_count, agent_id: null, workflow_id: null };
    const issue = { issue_id: 'iss_1', title: 'Loop', severity: 'warning', status: issueStatus } as const;
    expect(planStatusText({ status, fix_outcome, issue })).toBe(text);
  },
);

it.each<[string, FixPlan['status'][], FixPlan['status'][]]>([
  ['no plan', [], []],
  ['plans that wait, then applied ones', ['applied', 'rejected', 'pending_approval'], ['pending_approval', 'applied']],
  ['the newest plan, if none is open', ['rolled_back', 'rejected'], ['rolled_back']],
])('a detection names %s', (_case, statuses, expected) => {
  expect(namedPlans(statuses.map((status) => plan(null, status))).map(({ status }) => status)).toEqual(expected);
});

it.each<[FixPlan['status'], string, string]>([
  ['applied', '2026-01-15T13:00:00Z', `applied ${zonedTimeText(NOON)}, detected again in this run`],
  ['applied', '2026-01-15T11:00:00Z', `applied ${zonedTimeText(NOON)}, this run began before that`],
  ['pending_approval', '2026-01-15T11:00:00Z', 'pending approval'],
  ['rolled_back', '2026-01-15T13:00:00Z', 'rolled back'],
])('a plan that is %s, in a run of %s: %s', (status, started_at, text) => {
  expect(planStateText({ status, applied_at: NOON }, { started_at })).toBe(text);
});
