import { describe, expect, it } from 'vitest';
import { assertJsonWithin, parseBoundedJson } from './bounded-json.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
const codeOf = (text: string | Buffer, maxNodes: number) => {
  try {
    assertJsonWithin(Buffer.from(text), { maxNodes });
    return 'within';
  } catch (error) {
    return (error as { code: string }).code;
  }
};

describe('assertJsonWithin', () => {
  it.each<[string, string, number]>([
    ['a number', '1', 1],
    ['a list', '[1,2,3]', 4],
    ['an object', '{"a":1,"b":2}', 5],
    ['marks inside a string', '"[{,:]}"', 1],
    ['escaped quotes', '["\\",\\",","",1]', 4],
    ['a string that ends in a backslash', '["\\\\",1]', 3],
    ['a backslash before an escaped quote', '["\\\\\\",",1]', 3],
    ['a pretty-printed object', '{\n  "a": "x",\r\n  "b": 2\n}', 5],
    ['lines', '{"a":1}\n{"a":1}', 5],
    ['an unclosed string', '["[,[,', 2],
  ])('counts %s', (_name, text, nodes) => {
    expect(codeOf(text, nodes)).toBe('within');
    expect(codeOf(text, nodes - 1)).toBe('payload_too_large');
  });

  it.each<[string, string]>([
    ['a stray quote in the line before', `data: "\n${'[],'.repeat(100)}`],
    ['a stray quote after a backslash', `data: "\\\n${'[],'.repeat(100)}`],
    ['a stray quote and a lone carriage return', `data: "\r${'[],'.repeat(100)}`],
  ])('counts what follows %s', (_name, text) => expect(codeOf(text, 100)).toBe('payload_too_large'));

  it.each([
    ['the maximum depth is accepted', nested(500), 'within'],
    ['one deeper', nested(501), 'malformed'],
    ['too deep after surplus closing brackets', `]]]${nested(501)}`, 'malformed'],
    ['too deep and never closed', '['.repeat(100_000), 'malformed'],
  ])('%s', (_name, text, expected) => expect(codeOf(text, 1_000_000)).toBe(expected));

  it('stops reading at the first excess', () => {
    const body = new Proxy(Buffer.from('[],'.repeat(1_000_000)), {
      get(target, name) {
        if (Number(name) > 1_000) throw new Error(`read byte ${String(name)}`);
        const value = Reflect.get(target, name, target);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    expect(() => assertJsonWithin(body, { maxNodes: 100 })).toThrow('more than 100 values');
  });
});

describe('parseBoundedJson', () => {
  const parse = (text: string | Buffer) => parseBoundedJson(Buffer.from(text), { maxNodes: 100 });

  it.each<[string, string, unknown]>([
    ['an object', '{"a":[1,null,"ü"]}', { a: [1, null, 'ü'] }],
    ['a byte-order mark', '\ufeff{}', {}],
  ])('reads %s', (_name, text, expected) => expect(parse(text)).toEqual(expected));

  it.each<[string, string | Buffer, string]>([
    ['half a body', '{"a":', 'malformed'],
    ['bytes that are not UTF-8', Buffer.from([0x22, 0xc3, 0x22]), 'malformed'],
    ['nothing', '', 'malformed'],
    ['too many nodes', `[${'1,'.repeat(100)}1]`, 'payload_too_large'],
  ])('refuses %s', (_name, text, code) => expect(() => parse(text)).toThrow(expect.objectContaining({ code })));
});
