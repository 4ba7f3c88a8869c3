import { expect, it } from 'vitest';
import { allowedActions } from './plan-actions.ts';

const verified = { checked_at: 't', found: 'after' } as const;

it.each([
  ['pending_approval', null, 'config_file', null, ['approve', 'reject']],
  ['approved', null, 'config_file', null, ['execute', 'reject']],
  ['executing', 'apply', 'config_file', null, []],
  ['executing', 'apply', 'manual', null, ['applied', 'failed']],
  ['executing', 'rollback', 'manual', null, ['rolled_back', 'applied']],
  ['applied', 'apply', 'config_file', verified, ['rollback', 'check']],
  ['applied', 'apply', 'manual', null, ['rollback']],
  ['unknown', 'apply', 'config_file', null, ['check']],
  ['unknown', 'apply', 'config_file', verified, ['check', 'applied', 'failed']],
  ['unknown', 'rollback', 'http_json', verified, ['check', 'rolled_back', 'applied']],
  ['unknown', 'apply', 'manual', null, ['applied', 'failed']],
  ['rolled_back', 'rollback', 'config_file', verified, ['check']],
  ['rolled_back', 'rollback', 'manual', null, []],
  ['failed', 'apply', 'config_file', verified, []],
  ['rejected', null, 'config_file', null, []],
] as const)(
  'allowed actions for a plan that is %s (last action: %s, executor: %s)',
  (status, action, executor, verification, expected) => {
    expect(allowedActions({ status, action, executor, verification })).toEqual(expected);
  },
);
