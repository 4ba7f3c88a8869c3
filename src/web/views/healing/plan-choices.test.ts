import { expect, it } from 'vitest';
import { choicesOf, waitsForPerson } from './plan-choices.ts';

const seen = { checked_at: 't', found: 'after' } as const;

it.each([
  ['pending_approval', null, 'config_file', null, ['approve', 'reject']],
  ['approved', null, 'config_file', null, ['execute', 'reject']],
  ['executing', 'apply', 'config_file', null, []],
  ['executing', 'apply', 'manual', null, ['applied', 'failed']],
  ['executing', 'rollback', 'manual', null, ['rolled_back', 'applied']],
  ['applied', 'apply', 'config_file', seen, ['rollback', 'check']],
  ['applied', 'apply', 'manual', null, ['rollback']],
  ['unknown', 'apply', 'config_file', null, ['check']],
  ['unknown', 'apply', 'config_file', seen, ['check', 'applied', 'failed']],
  ['unknown', 'rollback', 'http_json', seen, ['check', 'rolled_back', 'applied']],
  ['unknown', 'apply', 'manual', null, ['applied', 'failed']],
  ['rolled_back', 'rollback', 'config_file', seen, ['check']],
  ['rolled_back', 'rollback', 'manual', null, []],
  ['failed', 'apply', 'config_file', seen, []],
  ['rejected', null, 'config_file', null, []],
] as const)('%s, last %s, by %s: what can be done', (status, action, executor, verification, expected) => {
  expect(choicesOf({ status, action, executor, verification })).toEqual(expected);
});

it.each([
  ['pending_approval', 'config_file', true],
  ['approved', 'config_file', true],
  ['unknown', 'config_file', true],
  ['executing', 'manual', true],
  ['executing', 'config_file', false],
  ['applied', 'manual', false],
] as const)('%s by %s waits for a person: %s', (status, executor, expected) => {
  expect(waitsForPerson({ status, executor })).toBe(expected);
});
