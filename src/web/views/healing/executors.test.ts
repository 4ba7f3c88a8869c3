import { describe, expect, it } from 'vitest';
import { EXECUTORS, isExecutable, targetOf } from './executors.ts';

const executorNamed = (name: string) => EXECUTORS.find((executor) => executor.name === name)!;

describe('targetOf', () => {
  it.each([
    ['manual', {}, {}],
    ['manual', { description: ' the planner ' }, { description: 'the planner' }],
    ['config_file', { path: 'a.json', pointer: '' }, { path: 'a.json' }],
    [
      'config_file',
      { path: 'a.json', pointer: '/limit', url: 'of another executor' },
      { path: 'a.json', pointer: '/limit' },
    ],
    [
      'http_json',
      { url: 'https://a.example/c', authorization: 'Bearer x' },
      { url: 'https://a.example/c', headers: { Authorization: 'Bearer x' } },
    ],
    ['settings', {}, { setting: 'detector_overrides' }],
    ['settings', { setting: 'thresholds' }, { setting: 'thresholds' }],
  ])('the target of the executor %s with the values %j', (name, values, expected) =>
    expect(targetOf(executorNamed(name), values)).toEqual(expected),
  );
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
] as const)('whether the changes %j are executable: %s', (changes, expected) => {
  expect(isExecutable(changes)).toBe(expected);
});
