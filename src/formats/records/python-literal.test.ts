import { describe, expect, test } from 'vitest';
import { parsePythonLiteral } from './python-literal.ts';

describe('Python literal', () => {
  test.each([
    ["{'user': 'ada', 'n': 3}", { user: 'ada', n: 3 }],
    ["{'ok': True, 'none': None, 'list': [1, -2.5, 'x',]}", { ok: true, none: null, list: [1, -2.5, 'x'] }],
    [`{'a': "it's", 'b': 'say \\'hi\\''}`, { a: "it's", b: "say 'hi'" }],
    ["('one', 2)", ['one', 2]],
    ["'\\u00e9\\n'", 'é\n'],
    ['{"plain": ["json", null]}', { plain: ['json', null] }],
    ['{1: 2}', { '1': 2 }],
    [' {} ', {}],
  ])('%s is read', (text, value) => {
    expect(parsePythonLiteral(text)).toEqual(value);
  });

  test.each(['', 'ls -F', "{'open': ", "{'a' 'b'}", '[1 2]', "{'a': f(1)}", '{} rest', '['.repeat(200), "'\\uZZZZ'"])(
    '%s is not a literal',
    (text) => {
      expect(parsePythonLiteral(text)).toBeUndefined();
    },
  );

  test('a text of two million escapes is read in linear time', () => {
    const escapes = 2_000_000;
    const value = parsePythonLiteral(`{'a': '${'x\\\\'.repeat(escapes)}'}`) as { a: string };
    expect(value.a.length).toBe(2 * escapes);
  });
});
