import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { dateQuery, pageQuery } from '../features/_kit/page.ts';
import { decodeQuery } from './decode-query.ts';

const schema = pageQuery.extend({
  flag: z.boolean().optional(),
  coerced: z.coerce.boolean().optional(),
  worded: z.stringbool().optional(),
  ratio: z.coerce.number().min(0).max(1).optional(),
  kind: z.enum(['a', 'b']).optional(),
  from: dateQuery.optional(),
  many: z.array(z.number()).optional(),
  text: z.string().optional(),
});
const defaults = { page: 1, page_size: 50 };

describe('decodeQuery', () => {
  it.each<[string, object]>([
    ['', {}],
    ['page=2&page_size=200', { page: 2, page_size: 200 }],
    ['flag=false&coerced=false&worded=false', { flag: false, coerced: false, worded: false }],
    ['flag=true&coerced=true', { flag: true, coerced: true }],
    ['ratio=0.5', { ratio: 0.5 }],
    ['from=2026-01-31', { from: Date.UTC(2026, 0, 31) }],
    ['from=2026-01-31T01:00:00%2B01:00', { from: Date.UTC(2026, 0, 31) }],
    ['many=1&many=2', { many: [1, 2] }],
    ['text=a%20b%2Bc', { text: 'a b+c' }],
  ])('decodes %j', (query, expected) => {
    expect(decodeQuery(schema, query)).toEqual({ ...defaults, ...expected });
  });

  it.each([
    ['page=0', '?page'],
    ['page=1.5', '?page'],
    ['page=abc', '?page'],
    ['page=', '?page'],
    ['page=0x10', '?page'],
    ['page=1e400', '?page'],
    ['page=1&page=2', '?page'],
    ['page_size=201', '?page_size'],
    ['ratio=', '?ratio'],
    ['ratio=NaN', '?ratio'],
    ['ratio=Infinity', '?ratio'],
    ['flag=yes', '?flag'],
    ['coerced=0', '?coerced'],
    ['kind=c', '?kind'],
    ['from=yesterday', '?from'],
    ['from=2026-13-01', '?from'],
    ['many=1&many=x', '?many'],
    ['pagesize=1', '?pagesize'],
    ['__proto__=1', '?__proto__'],
    ['constructor=1', '?constructor'],
  ])('refuses %j', (query, pointer) => {
    expect(() => decodeQuery(schema, query)).toThrow(
      expect.objectContaining({ code: 'invalid_query', errors: [{ pointer, message: expect.any(String) }] }),
    );
  });

  it('reports all errors at once', () => {
    expect(() => decodeQuery(schema, 'page=0&flag=1&odd=1')).toThrow(
      expect.objectContaining({
        errors: [{ pointer: '?flag' }, { pointer: '?odd' }, { pointer: '?page' }].map((field) =>
          expect.objectContaining(field),
        ),
      }),
    );
  });

  it('rejects every parameter if none is defined', () => {
    expect(() => decodeQuery(undefined, 'a=1')).toThrow();
    expect(decodeQuery(undefined, '')).toEqual({});
  });
});
