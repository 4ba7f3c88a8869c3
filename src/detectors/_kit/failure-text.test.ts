import { describe, expect, it } from 'vitest';
import type { Json } from '../../core/json.ts';
import { failureInResult } from './failure-text.ts';

describe('failureInResult', () => {
  it.each<[Json, string, string]>([
    [{ error: 'no seats' }, '', 'no seats'],
    ['{"error": {"code": 401, "message": "expired"}}', '401', 'expired'],
    [{ status: 503, message: 'down' }, '503', 'down'],
    [{ success: false, message: 'declined' }, '', 'declined'],
    [{ isError: true, content: 'bad' }, '', 'bad'],
    ['Error: order not found', '', 'Error: order not found'],
    ['ValueError: no such id', 'ValueError', 'ValueError: no such id'],
    ['HTTP 503 Service Unavailable', '503', 'HTTP 503 Service Unavailable'],
    ['404 Client Error: Not Found for url: http://x', '404', '404 Client Error: Not Found for url: http://x'],
    ['Traceback (most recent call last):\n  File "x"\nKeyError: 1', '', 'KeyError: 1'],
  ])('reads %j', (result, code, message) => expect(failureInResult(result)).toEqual({ code, message }));

  it.each<[Json]>([
    ['404 tests passed, 0 errors'],
    ['503 rows were written'],
    ['All good, no Error: line found'],
    ['def f(error): raise ValueError'],
    ['{"id": 1, "error": null, "errors": []}'],
    [{ status: 200, error: false }],
    [{ status: 'failed_over_successfully' }],
    ['The report: Error 500 was fixed on Monday'],
    [null],
    [42],
  ])('finds none in %j', (result) => expect(failureInResult(result)).toBeNull());
});
