import { describe, expect, it } from 'vitest';
import { EXECUTOR_CHOICES, isExecutable, targetOf } from './executor-fields.ts';

const choice = (name: string) => EXECUTOR_CHOICES.find((one) => one.name === name)!;

describe('the target of a plan', () => {
  it.each([
    ['manual', {}, {}],
    ['manual', { description: ' the planner ' }, { description: 'the planner' }],
    ['config_file', { path: 'a.json', pointer: '' }, { path: 'a.json' }],
    [
      'config_file',
      { path: 'a.json', pointer: '/limit', url: 'of another choice' },
      { path: 'a.json', pointer: '/limit' },
    ],
    [
      'http_json',
      { url: 'https://a.example/c', authorization: 'Bearer x' },
      { url: 'https://a.example/c', headers: { Authorization: 'Bearer x' } },
    ],
    ['settings', {}, { setting: 'detector_overrides' }],
    ['settings', { setting: 'thresholds' }, { setting: 'thresholds' }],
  ])('%s with %j', (name, values, expected) => expect(targetOf(choice(name), values)).toEqual(expected));
});

it.each([
  [[], false],
  [[{ format: 'json-patch', before: null }], true],
  [[{ format: 'unified-diff', before: null }], true],
  [[{ format: 'text', before: 'a' }], true],
  [[{ format: 'text', before: null }], false],
  [
    [
      { format: 'json-patch', before: null },
      { format: 'text', before: null },
    ],
    false,
  ],
] as const)('changes %j can be carried out: %s', (changes, expected) => {
  expect(isExecutable(changes)).toBe(expected);
});
