import { expect, it } from 'vitest';
import { AppError } from '../../core/app-error.ts';
import { toolFailure } from './tool-failure.ts';

it.each<[string, unknown, string]>([
  [
    'what is not there, with where to look',
    new AppError('not_found', 'There is no trace x.'),
    'not_found: There is no trace x.\nsearch_traces lists the traces that are stored.',
  ],
  [
    'a bad field by its name',
    new AppError('invalid_query', 'Query validation failed.', {
      errors: [{ pointer: '?date_from', message: 'no date' }],
    }),
    'invalid_query: Query validation failed.\ndate_from: no date',
  ],
  [
    'a refused key, with what helps',
    new AppError('unauthenticated', 'No.'),
    'unauthenticated: No.\nStart misstep mcp with the API key of a tenant, one that may read: --api-key or MISSTEP_API_KEY.',
  ],
  [
    'a server that asks to wait',
    new AppError('rate_limited', 'Too many.', { retryAfterSeconds: 3 }),
    'rate_limited: Too many.\nTry again in 3 s.',
  ],
  ['anything else in one line', new Error('a\n\u001b[31mb'), 'internal: a b'],
])('tells %s', (_name, error, expected) => {
  expect(toolFailure(error)).toBe(expected);
});
