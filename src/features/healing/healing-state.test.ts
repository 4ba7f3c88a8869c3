import { describe, expect, it } from 'vitest';
import {
  HEALING_STATUSES,
  HEALING_STEPS,
  type HealingOutcome,
  type HealingStatus,
  type HealingStep,
  RESOLUTIONS,
  resolved,
  statusAfter,
  statusAtEnd,
  stepFrom,
} from './healing-state.ts';

/** Every state by every step; what is not named is refused. */
const TABLE: Record<HealingStatus, Partial<Record<HealingStep, HealingStatus>>> = {
  pending_approval: { approve: 'approved', reject: 'rejected' },
  approved: { execute: 'executing', reject: 'rejected' },
  rejected: {},
  executing: { resolve: 'executing' },
  applied: { rollback: 'executing', check: 'applied' },
  failed: {},
  unknown: { check: 'unknown', resolve: 'unknown' },
  rolled_back: { check: 'rolled_back' },
};

describe('the state of an operation', () => {
  const rows = HEALING_STATUSES.flatMap((status) => HEALING_STEPS.map((step) => [status, step] as const));
  it.each(rows)('%s, %s', (status, step) => {
    const expected = TABLE[status][step] ?? null;
    expect(statusAfter(step, status)).toBe(expected);
    if (expected === null) expect(() => stepFrom(step, status)).toThrow(`An operation that is ${status} cannot`);
    else expect(stepFrom(step, status)).toBe(expected);
  });
});

describe('the end of what was begun', () => {
  it.each<['apply' | 'rollback', HealingOutcome, HealingStatus]>([
    ['apply', 'done', 'applied'],
    ['apply', 'undone', 'approved'],
    ['apply', 'failed', 'failed'],
    ['apply', 'interrupted', 'unknown'],
    ['rollback', 'done', 'rolled_back'],
    ['rollback', 'undone', 'applied'],
    ['rollback', 'failed', 'applied'],
    ['rollback', 'interrupted', 'unknown'],
  ])('%s %s', (action, outcome, expected) => {
    expect(statusAtEnd(action, outcome)).toBe(expected);
  });

  it.each([
    ['apply', ['applied', 'failed']],
    ['rollback', ['applied', 'rolled_back']],
  ] as const)('that a person reports as %s', (action, possible) => {
    for (const resolution of RESOLUTIONS) {
      if ((possible as readonly string[]).includes(resolution)) expect(resolved(action, resolution)).toBe(resolution);
      else expect(() => resolved(action, resolution)).toThrow(`during ${action}`);
    }
  });
});
