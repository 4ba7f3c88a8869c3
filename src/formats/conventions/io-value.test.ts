import { describe, expect, test } from 'vitest';
import type { Json } from '../../core/json.ts';
import { readIoValue, unwrapArguments } from './io-value.ts';

describe('readIoValue', () => {
  test.each<[string, Json, string, string | undefined]>([
    ['words', 'Reset it', 'Reset it', 'Reset it'],
    ['quoted words', '"Reset it"', 'Reset it', 'Reset it'],
    ['messages', '{"messages":[{"role":"user","content":"a"},{"role":"user","content":"b"}]}', 'b', 'a'],
    ['a single text field', '{"query":"bees"}', 'bees', 'bees'],
    ['several fields', '{"query":"bees","top":3}', '{"query":"bees","top":3}', 'bees'],
    ['an empty call', '{"args":[],"kwargs":{}}', '', undefined],
    [
      'a call with a question',
      '{"args":[],"kwargs":{"question":"why"}}',
      '{"args":[],"kwargs":{"question":"why"}}',
      'why',
    ],
    ['a model answer', '{"generations":[[{"message":{"role":"assistant","content":"yes"}}]]}', 'yes', undefined],
    ['a state without text', '{"n":1}', '{"n":1}', undefined],
    ['broken JSON', '{"n":', '{"n":', '{"n":'],
  ])('%s', (_, raw, text, task) => {
    expect(readIoValue(raw)).toMatchObject({ text });
    expect(readIoValue(raw).task).toBe(task);
  });
});

test.each<[Json, Json]>([
  [{ args: [], kwargs: { a: 1 }, sanitize: true }, { a: 1 }],
  [{ args: [1], kwargs: {} }, [1]],
  [
    { args: [1], kwargs: { a: 1 } },
    { args: [1], kwargs: { a: 1 } },
  ],
  [{ inputs: { a: 1 }, tags: [] }, { a: 1 }],
  [{ a: 1 }, { a: 1 }],
  ['words', 'words'],
])('unwrapArguments: %j', (given, expected) => {
  expect(unwrapArguments(given)).toEqual(expected);
});
