import { describe, expect, it } from 'vitest';
import { changeJson } from './change-json.ts';
import { changeText } from './change-text.ts';
import type { Change } from './executor.ts';

const patch = (...operations: object[]): Change => ({
  format: 'json-patch',
  before: null,
  after: JSON.stringify(operations),
});
const words = (before: string | null, after: string): Change => ({ format: 'text', before, after });
const DIFF: Change = {
  format: 'unified-diff',
  before: 'Find hotels.\n',
  after: '--- a/system-prompt\n+++ b/system-prompt\n@@ -1,1 +1,2 @@\n Find hotels.\n+Stop after two.\n',
};
const AGENTS = { agents: [{ name: 'planner', prompt: 'Find hotels.', 'a/b': 1 }] };

describe('changes to a JSON document', () => {
  it.each<[string, string, Change[], unknown]>([
    ['a patch of the whole', '', [patch({ op: 'add', path: '/limit', value: 6 })], { ...AGENTS, limit: 6 }],
    [
      'a patch of a part',
      '/agents/0',
      [patch({ op: 'remove', path: '/a~1b' }, { op: 'move', from: '/name', path: '/id' })],
      { agents: [{ id: 'planner', prompt: 'Find hotels.' }] },
    ],
    [
      'a diff of a text in it',
      '/agents/0/prompt',
      [DIFF],
      { agents: [{ ...AGENTS.agents[0], prompt: 'Find hotels.\nStop after two.' }] },
    ],
    [
      'several changes in sequence',
      '/agents/0/prompt',
      [DIFF, words('two', 'three')],
      { agents: [{ ...AGENTS.agents[0], prompt: 'Find hotels.\nStop after three.' }] },
    ],
    ['a patch with a test operation', '', [patch({ op: 'test', path: '/agents/0/name', value: 'planner' })], AGENTS],
  ])('%s', (_title, pointer, changes, expected) => {
    const given = structuredClone(AGENTS);
    expect(changeJson(given, pointer, changes).value).toEqual(expected);
    expect(given).toEqual(AGENTS);
  });

  it.each<[string, string, Change, RegExp]>([
    ['a missing path', '', patch({ op: 'replace', path: '/none', value: 1 }), /does not apply/],
    ['a test that fails', '', patch({ op: 'test', path: '/agents', value: 1 }), /does not apply/],
    ['an unknown operation', '', patch({ op: 'alter', path: '/agents' }), /not a JSON Patch/],
    ['no list', '', { format: 'json-patch', before: null, after: '{}' }, /not a list/],
    ['no JSON', '', { format: 'json-patch', before: null, after: 'limit it' }, /not a list/],
    ['an empty list', '', patch(), /not a list/],
    ['a diff of a value that is not text', '/agents', DIFF, /needs a text/],
    ['a diff without a pointer', '', DIFF, /give the pointer to a text in it/],
    ['a diff of a missing value', '/none/0', DIFF, /needs a text/],
    ['a prototype', '', patch({ op: 'add', path: '/__proto__/x', value: 1 }), /does not apply/],
    ['an inherited property', '', patch({ op: 'add', path: '/toString/x', value: 1 }), /does not exist/],
    ['an inherited text property', '/constructor/name', words('Object', 'x'), /needs a text/],
  ])('%s is refused', (_title, pointer, change, message) => {
    expect(() => changeJson(AGENTS, pointer, [change])).toThrow(
      expect.objectContaining({ errors: [{ pointer: '/changes/0', message: expect.stringMatching(message) }] }),
    );
    expect(({} as { x?: number }).x).toBeUndefined();
    expect(Object.hasOwn(Object.prototype.toString, 'x')).toBe(false);
  });
});

describe('changes to a text', () => {
  it.each<[string, string, Change, string]>([
    ['a diff', 'Find hotels.\n', DIFF, 'Find hotels.\nStop after two.\n'],
    [
      'a diff further down',
      '# Clerk\n\nFind hotels.\nBe kind.\n',
      DIFF,
      '# Clerk\n\nFind hotels.\nStop after two.\nBe kind.\n',
    ],
    ['a diff of lines with CRLF', 'Find hotels.\r\n', DIFF, 'Find hotels.\r\nStop after two.\r\n'],
    ['a passage', 'limit: 24\n', words('24', '6'), 'limit: 6\n'],
    ['a passage with replacement patterns such as `$&`', 'a b', words('b', '$&$1'), 'a $&$1'],
  ])('%s', (_title, text, change, expected) => {
    expect(changeText(text, [change])).toBe(expected);
  });

  it.each<[string, string, Change, RegExp]>([
    ['a diff of another text', 'Book flights.\n', DIFF, /does not apply/],
    ['a text that is not a diff', 'a', { ...DIFF, after: 'stop at 2' }, /not a unified diff/],
    ['a diff of two files', 'Find hotels.\n', { ...DIFF, after: DIFF.after + DIFF.after }, /not a unified diff/],
    ['advice', 'a', words(null, 'stop at 2'), /manually/],
    ['a missing passage', 'a', words('b', 'c'), /was not found/],
    ['a passage that occurs twice', 'aba', words('a', 'c'), /more than once/],
    ['passages that overlap', 'aaa', words('aa', 'c'), /more than once/],
    ['a JSON Patch', 'a', patch({ op: 'add', path: '/a', value: 1 }), /is a JSON Patch/],
  ])('%s is refused', (_title, text, change, message) => {
    expect(() => changeText(text, [change])).toThrow(
      expect.objectContaining({ errors: [{ pointer: '/changes/0', message: expect.stringMatching(message) }] }),
    );
  });
});
