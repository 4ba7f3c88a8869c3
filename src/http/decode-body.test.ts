import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkBody, parseBody } from './decode-body.ts';

const nested = (depth: number) => Buffer.from('['.repeat(depth) + ']'.repeat(depth));

describe('parseBody', () => {
  it.each<[string, Buffer, unknown]>([
    ['nothing', Buffer.alloc(0), {}],
    ['an object', Buffer.from('{"a":[1,null,"ü"]}'), { a: [1, null, 'ü'] }],
    ['a byte-order mark', Buffer.from('\ufeff{}'), {}],
  ])('reads %s', (_name, body, expected) => {
    expect(parseBody(body)).toEqual(expected);
  });

  it.each<[string, Buffer]>([
    ['half a body', Buffer.from('{"a":')],
    ['bytes that are no UTF-8', Buffer.from([0x22, 0xc3, 0x22])],
    ['NaN', Buffer.from('NaN')],
    ['a very deep body', nested(100_000)],
    ['a body one level too deep', nested(502)],
  ])('refuses %s', (_name, body) => {
    expect(() => parseBody(body)).toThrow(expect.objectContaining({ code: 'malformed' }));
  });

  it('reads a body as deep as may be', () => {
    expect(() => parseBody(nested(500))).not.toThrow();
  });
});

describe('checkBody', () => {
  const schema = z.object({ name: z.string(), list: z.array(z.object({ 'a/b': z.number() })).optional() });

  it('gives what the schema makes of it, without unknown members', () => {
    expect(checkBody(schema, { name: 'x', other: 1 })).toEqual({ name: 'x' });
  });

  it('points at each fault', () => {
    expect(() => checkBody(schema, { list: [{ 'a/b': 1 }, { 'a/b': 'x' }] })).toThrow(
      expect.objectContaining({
        code: 'invalid_body',
        errors: [expect.objectContaining({ pointer: '/name' }), expect.objectContaining({ pointer: '/list/1/a~1b' })],
      }),
    );
  });
});
