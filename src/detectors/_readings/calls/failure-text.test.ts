import { describe, expect, it } from 'vitest';
import type { Json } from '../../../core/json.ts';
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
    ['HTTP 400 the query matches 5000 rows', '400', 'HTTP 400 the query matches 5000 rows'],
    ['HTTP/1.1 429: quota used up', '429', 'HTTP/1.1 429: quota used up'],
    ['HTTP 503 зеркало обновляется', '503', 'HTTP 503 зеркало обновляется'],
    ['404 Client Error: Not Found for url: http://x', '404', '404 Client Error: Not Found for url: http://x'],
    ['Traceback (most recent call last):\n  File "x"\nKeyError: 1', 'KeyError', 'KeyError: 1'],
    ['Error while reading the scale: no answer', '', 'Error while reading the scale: no answer'],
    ['Error fetching the page: no answer', '', 'Error fetching the page: no answer'],
    [
      'An error occurred while running the tool. Please try again. Error: no answer',
      '',
      'An error occurred while running the tool. Please try again. Error: no answer',
    ],
    [
      'Web search results for query: "mills"\n\nAPI Error: 400 {"type":"error","error":{"message":"no name"}}\n\nREMINDER: name the sources.',
      '400',
      'API Error: 400 {"type":"error","error":{"message":"no name"}}',
    ],
    [{ data: null, errors: [{ message: 'no field of that name' }] }, '', 'no field of that name'],
    [{ errors: [{ message: 'no such user', extensions: { code: 'USER' } }] }, '', 'no such user'],
    [{ errors: [{ status: '404', title: 'Not found', detail: 'no order 7' }] }, '404', 'no order 7'],
    [{ success: false, errors: ['no seats'] }, '', 'no seats'],
    [{ type: 'about:blank', title: 'Gone', status: 410, detail: 'moved away' }, '410', 'moved away'],
  ])('reads %j', (result, code, message) => expect(failureInResult(result)).toEqual({ code, message }));

  it.each<[Json]>([
    ['404 tests passed, 0 errors'],
    ['HTTP 404\n\nThis page lists the status codes of HTTP with examples.'],
    ['HTTP 200 all rows'],
    ['503 rows were written'],
    ['All good, no Error: line found'],
    ['Error handling: chapters 1 to 3, with exercises'],
    ['Error messages: what they mean'],
    ['Errors: 3, warnings: 12'],
    ['The log says:\nAPI Error: 400 in the night'],
    ['Error: (none)\nOutput: 12 bags'],
    ['error: None'],
    [{ error: 'None', output: '12 bags' }],
    [{ error: 'null', output: '12 bags' }],
    [{ errors: [{ file: 'a.py', line: 3, message: "'foo' is not defined" }] }],
    ['{"errors": ["unused import"], "warnings": []}'],
    [{ url: 'https://shop.example/a', status: 503 }],
    [{ status: 503 }],
    [{ statusCode: 404, headers: {}, body: 'not here' }],
    [{ id: 7, code: 451, name: 'Ada' }],
    ['def f(error): raise ValueError'],
    ['{"id": 1, "error": null, "errors": []}'],
    [{ status: 200, error: false }],
    [{ status: 'failed_over_successfully' }],
    ['The report: Error 500 was fixed on Monday'],
    [null],
    [42],
  ])('finds none in %j', (result) => expect(failureInResult(result)).toBeNull());
});
