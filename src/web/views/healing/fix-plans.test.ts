import { describe, expect, it } from 'vitest';
import { appliedText, didNotHold, type FixPlan, inOrderOfUse, nextFix, planOfFix } from './fix-plans.ts';

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
  ['2026-01-15T13:00:00Z', 'detected again in this run'],
  ['2026-01-15T11:00:00Z', 'this run began before that'],
])('a run of %s says about a plan that was applied at 12:00: %s', (started_at, text) => {
  expect(appliedText({ applied_at: '2026-01-15T12:00:00Z' }, { started_at })).toBe(text);
});
