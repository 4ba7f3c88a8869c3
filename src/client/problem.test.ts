import { describe, expect, it } from 'vitest';
import type { Json } from '../core/json.ts';
import { toAppError } from './problem.ts';

describe('toAppError', () => {
  const rows: [string, number, Json | undefined, string | null, object][] = [
    [
      'a problem',
      404,
      { code: 'not_found', detail: 'There is no such key.' },
      null,
      { code: 'not_found', message: 'There is no such key.', errors: [] },
    ],
    [
      'field errors',
      422,
      { code: 'invalid_body', detail: 'x', errors: [{ pointer: '/name', message: 'too long' }, 'odd'] },
      null,
      { errors: [{ pointer: '/name', message: 'too long' }] },
    ],
    ['a code this version does not know', 403, { code: 'moon_phase', detail: 'x' }, null, { code: 'forbidden' }],
    ['a page of a proxy', 502, undefined, null, { code: 'internal', message: 'The server answered with status 502.' }],
    ['a request to wait', 429, undefined, '7', { code: 'rate_limited', retryAfterSeconds: 7 }],
    [
      'a date to wait for',
      503,
      undefined,
      'Fri, 07 Nov 2031 23:59:59 GMT',
      { code: 'unavailable', retryAfterSeconds: null },
    ],
  ];
  it.each(rows)('%s', (_name, status, body, retryAfter, expected) => {
    expect(toAppError(status, body, retryAfter)).toMatchObject(expected);
  });
});
