import { describe, expect, it } from 'vitest';
import {
  changePolicy,
  DEFAULT_POLICY,
  type HealingPolicy,
  healingPolicyChange,
  needsNoApproval,
  type Proposal,
  readPolicy,
} from './healing-policy.ts';

const AUTO: HealingPolicy = { policy: 'auto', fix_types: { loop_guard: { max_risk: 'medium' } }, max_per_day: 2 };
const GUARD: Proposal = { fixType: 'loop_guard', risk: 'medium', isBreaking: false, isFromFix: true, isManual: false };

describe('a fix needs no approval', () => {
  it.each<[string, HealingPolicy, Partial<Proposal>, number, boolean]>([
    ['within the policy', AUTO, {}, 1, true],
    ['with less risk', AUTO, { risk: 'low' }, 0, true],
    ['with more risk', AUTO, { risk: 'high' }, 0, false],
    ['of a kind that is not named', AUTO, { fixType: 'prompt_change' }, 0, false],
    ['after as many as a day may see', AUTO, {}, 2, false],
    ['that breaks something', AUTO, { isBreaking: true }, 0, false],
    ['with a change of its own', AUTO, { isFromFix: false }, 0, false],
    ['that is done by hand', AUTO, { isManual: true }, 0, false],
    ['under the manual policy', { ...AUTO, policy: 'manual' }, {}, 0, false],
    ['without settings', DEFAULT_POLICY, {}, 0, false],
  ])('%s', (_title, policy, proposal, today, expected) => {
    expect(needsNoApproval(policy, { ...GUARD, ...proposal }, today)).toBe(expected);
  });
});

describe('a policy', () => {
  it('that was never set is manual', () => expect(readPolicy(null)).toEqual(DEFAULT_POLICY));

  it.each([
    [-1, false],
    [0, true],
    [1_000, true],
    [1_001, false],
  ])('with %d automatic operations a day is accepted: %s', (max_per_day, isAccepted) => {
    expect(healingPolicyChange.safeParse({ max_per_day }).success).toBe(isAccepted);
  });

  it('allows five automatic operations a day by default', () => expect(DEFAULT_POLICY.max_per_day).toBe(5));

  it('keeps members that are not sent and resets those that are null', () => {
    const changed = changePolicy(AUTO, { fix_types: { loop_guard: null, retry_policy: { max_risk: 'low' } } });
    expect(changed).toEqual({ ...AUTO, fix_types: { retry_policy: { max_risk: 'low' } } });
    expect(changePolicy(changed, { policy: 'manual', max_per_day: 0 })).toEqual({
      policy: 'manual',
      fix_types: { retry_policy: { max_risk: 'low' } },
      max_per_day: 0,
    });
  });
});
