import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkBody, parseBody } from './decode-body.ts';

describe('parseBody', () => {
  it.each<[string, string, unknown]>([
    ['nothing', '', {}],
    ['an object', '{"a":[1,null,"ü"]}', { a: [1, null, 'ü'] }],
  ])('reads %s', (_name, body, expected) => {
    expect(parseBody(Buffer.from(body), { maxNodes: 10 })).toEqual(expected);
  });

  it.each([
    ['half a body', '{"a":', 'malformed'],
    ['NaN', 'NaN', 'malformed'],
    ['a very deep body', '['.repeat(100_000), 'payload_too_large'],
  ])('refuses %s', (_name, body, code) => {
    expect(() => parseBody(Buffer.from(body), { maxNodes: 10 })).toThrow(expect.objectContaining({ code }));
  });
});

describe('checkBody', () => {
  const schema = z.object({ name: z.string(), list: z.array(z.object({ 'a/b': z.number() })).optional() });

  it('returns the parsed value without unknown members', () => {
    expect(checkBody(schema, { name: 'x', other: 1 })).toEqual({ name: 'x' });
  });

  it('returns the pointer of each error', () => {
    expect(() => checkBody(schema, { list: [{ 'a/b': 1 }, { 'a/b': 'x' }] })).toThrow(
      expect.objectContaining({
        code: 'invalid_body',
        errors: [expect.objectContaining({ pointer: '/name' }), expect.objectContaining({ pointer: '/list/1/a~1b' })],
      }),
    );
  });
});
