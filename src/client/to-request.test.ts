import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyOperation, defineOperation } from '../features/_kit/operation.ts';
import { toRequest } from './to-request.ts';

const base = {
  id: 'test',
  summary: '',
  access: { kind: 'public' },
  output: z.null(),
  status: 200,
  run: async () => null,
} as const;
const list = defineOperation({
  ...base,
  method: 'GET',
  path: '/a/{id}',
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.number(), on: z.boolean().optional() }),
});
const change = defineOperation({
  ...base,
  method: 'POST',
  path: '/a/{id}/b',
  params: z.object({ id: z.string() }),
  body: z.object({ name: z.string() }),
});
const bare = defineOperation({ ...base, method: 'POST', path: '/a' });

describe('toRequest', () => {
  const rows: [string, AnyOperation, Record<string, unknown>, ReturnType<typeof toRequest>][] = [
    [
      'query',
      list,
      { id: 'x', page: 2, on: false },
      { method: 'GET', path: '/api/v1/a/x?page=2&on=false', body: undefined },
    ],
    ['what is left out', list, { id: 'x', page: undefined }, { method: 'GET', path: '/api/v1/a/x', body: undefined }],
    [
      'an id that needs escaping',
      list,
      { id: '../x?y' },
      { method: 'GET', path: '/api/v1/a/..%2Fx%3Fy', body: undefined },
    ],
    [
      'body',
      change,
      { id: 'x', name: 'n', none: undefined },
      { method: 'POST', path: '/api/v1/a/x/b', body: '{"name":"n"}' },
    ],
    ['no body', bare, {}, { method: 'POST', path: '/api/v1/a', body: undefined }],
  ];
  it.each(rows)('%s', (_name, operation, input, expected) => {
    expect(toRequest(operation, input)).toEqual(expected);
  });
});
