import { expect, it } from 'vitest';
import { z } from 'zod';
import { type AnyOperation, defineOperation } from '../features/_kit/operation.ts';
import { parseInput } from './parse-input.ts';

const change: AnyOperation = defineOperation({
  id: 'test.change',
  method: 'PUT',
  path: '/a/{id}',
  summary: '',
  access: { kind: 'public' },
  params: z.object({ id: z.string() }),
  query: z.object({ page: z.number().default(1) }),
  body: z.strictObject({ name: z.string().optional() }),
  output: z.null(),
  status: 200,
  run: async () => null,
});

it.each<[string, object, object | string]>([
  ['takes path and query apart from a strict body', { id: 'x', page: 2, name: 'n' }, { id: 'x', page: 2, name: 'n' }],
  ['fills in what the schemas do', { id: 'x' }, { id: 'x', page: 1 }],
  ['refuses what the body does not know', { id: 'x', nmae: 'n' }, 'invalid_body'],
  ['refuses a bad query', { id: 'x', page: 'two' }, 'invalid_query'],
])('%s', (_name, input, expected) => {
  if (typeof expected === 'string')
    expect(() => parseInput(change, input)).toThrow(expect.objectContaining({ code: expected }));
  else expect(parseInput(change, input)).toEqual(expected);
});
