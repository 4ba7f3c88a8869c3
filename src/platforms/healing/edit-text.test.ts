import fc from 'fast-check';
import fastJsonPatch from 'fast-json-patch';
import { parse as parseJsonc } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { parse as parseYaml, stringify } from 'yaml';
import type { Json } from '../../core/json.ts';
import { editJsonText } from './edit-json-text.ts';
import { editYamlText } from './edit-yaml-text.ts';
import type { Change } from './executor.ts';

const patch = (...operations: object[]): Change => ({
  format: 'json-patch',
  before: null,
  after: JSON.stringify(operations),
});
const set = (path: string, value: Json) => patch({ op: 'replace', path, value });

describe('a JSON text', () => {
  it.each<[string, string, Change, string]>([
    [
      'keeps comments, order and spelling of the rest',
      '{\n  // how far\n  "limit": 24, "tools": ["a","b"],\n  "id": 12345678901234567890,\n}\n',
      set('/limit', 6),
      '{\n  // how far\n  "limit": 6, "tools": ["a","b"],\n  "id": 12345678901234567890,\n}\n',
    ],
    [
      'keeps its indentation',
      '{\n\t"a": 1\n}\n',
      patch({ op: 'add', path: '/b', value: { c: 2 } }),
      '{\n\t"a": 1,\n\t"b": {\n\t\t"c": 2\n\t}\n}\n',
    ],
    [
      'keeps its line ends',
      '{\r\n    "a": 1\r\n}\r\n',
      patch({ op: 'add', path: '/b', value: 2 }),
      '{\r\n    "a": 1,\r\n    "b": 2\r\n}\r\n',
    ],
    ['keeps a byte order mark', '\uFEFF{"a": 1}', set('/a', 2), '\uFEFF{"a": 2}'],
    ['inserts into the middle of a list', '[1,3]', patch({ op: 'add', path: '/1', value: 2 }), '[\n  1,\n  2,\n  3\n]'],
    ['may be replaced as a whole', '{"a": 1}\n', set('', { b: 2 }), '{\n  "b": 2\n}\n'],
  ])('%s', (_title, text, change, expected) => {
    expect(editJsonText(text, '', [change])).toBe(expected);
  });

  it.each([
    ['text that is not JSON', 'limit: 24'],
    ['an empty text', ''],
    ['a name that occurs twice', '{"limit": 1, "limit": 24}'],
  ])('%s is refused', (_title, text) => {
    expect(() => editJsonText(text, '', [set('/limit', 6)])).toThrow('The change cannot be made.');
  });
});

describe('a YAML text', () => {
  const AGENT =
    '# The planner\nname: planner  # short\nlimit: 24\nprompt: |\n  Find hotels.\n  Be kind.\ntools:\n  - name: "search"\n    retries: 0x1f\n';
  it.each<[string, string, Change, string]>([
    [
      'keeps comments, quotes and blocks',
      '',
      set('/limit', 6),
      AGENT.replace('24', '6').replace('  # short', ' # short'),
    ],
    [
      'patches block scalars',
      '/prompt',
      { format: 'text', before: 'Be kind.', after: 'Be kind.\nStop after two.' },
      AGENT.replace('Be kind.', 'Be kind.\n  Stop after two.').replace('  # short', ' # short'),
    ],
    [
      'adds members',
      '/tools',
      patch({ op: 'add', path: '/-', value: { name: 'stop' } }, { op: 'remove', path: '/0/retries' }),
      AGENT.replace('    retries: 0x1f\n', '  - name: stop\n').replace('  # short', ' # short'),
    ],
  ])('%s', (_title, pointer, change, expected) => {
    expect(editYamlText(AGENT, pointer, [change])).toBe(expected);
  });

  it('keeps the indentation of its lists', () => {
    expect(editYamlText('tools:\n- a\n- b\n', '', [set('/tools/1', 'c')])).toBe('tools:\n- a\n- c\n');
  });

  it.each([
    ['several documents', 'limit: 1\n---\nlimit: 2\n'],
    ['text that is not YAML', 'limit: [1\n'],
    ['a part that an alias repeats', 'base: &base {limit: 1}\nlimit: 24\nother: *base\n', '/base/limit'],
    ['a number that would lose its last digits', 'limit: 24\nid: 12345678901234567890\n'],
    [
      'aliases without end',
      'a: &a [x,x]\nb: &b [*a,*a,*a,*a,*a,*a,*a,*a]\nc: &c [*b,*b,*b,*b,*b,*b,*b,*b]\nd: [*c,*c,*c]\nlimit: 1\n',
    ],
  ])('%s is refused', (_title, text, path = '/limit') => {
    expect(() => editYamlText(text, '', [set(path, 6)])).toThrow('The change cannot be made.');
  });
});

const json = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(null, true, false),
    fc.integer({ min: -1e6, max: 1e6 }),
    fc.string({ maxLength: 20, unit: 'grapheme-ascii' }),
    fc.constantFrom('a\nb\n', ' x ', '- no list', '# none', 'yes', '1', 'ä–☃', ''),
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'limit', 'x/y', 'm~n', 'with space', '0'), tie('value'), { maxKeys: 4 }),
  ),
})).value;
const container = json.filter((value) => typeof value === 'object' && value !== null);

describe('any document and any patch', () => {
  const RUNS = { numRuns: 300, seed: 20_260_115 };

  it.each<
    [
      string,
      (text: string, pointer: string, changes: Change[]) => string,
      (value: Json) => string,
      (text: string) => unknown,
    ]
  >([
    ['JSON', editJsonText, (value) => JSON.stringify(value, null, 2), (text) => parseJsonc(text)],
    ['YAML', editYamlText, (value) => stringify(value), (text) => parseYaml(text)],
  ])('of %s: the edited text parses to the patched document', (_title, editText, spell, parse) => {
    fc.assert(
      fc.property(container, container, (before, after) => {
        const operations = fastJsonPatch.compare(before as object, after as object);
        fc.pre(operations.length > 0 && Array.isArray(before) === Array.isArray(after));
        expect(parse(editText(spell(before), '', [patch(...operations)]))).toEqual(after);
      }),
      RUNS,
    );
  });
});
