import { expect, test } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import type { Attributes, Span } from '../../core/span.ts';
import { readSpanError, splitStack } from './span-error.ts';

const exception = (attributes: Attributes) => ({ name: 'exception', timeNs: 1n, attributes });
const failed = { code: 2 as const, message: '' };

test.each<[string, Partial<Span>, object | null]>([
  ['nothing', {}, null],
  ['a failed status', { status: { code: 2, message: 'no room' } }, { type: '', message: 'no room' }],
  [
    'the last exception',
    {
      status: failed,
      events: [
        exception({ 'exception.message': 'first' }),
        exception({ 'exception.type': 'openai.RateLimitError', 'exception.message': 'slow down' }),
      ],
    },
    { type: 'RateLimitError', message: 'slow down' },
  ],
  [
    'an exception under an open status',
    { events: [exception({ 'exception.message': 'odd' })] },
    { type: '', message: 'odd' },
  ],
  [
    'an exception that was handled',
    { status: { code: 1, message: '' }, events: [exception({ 'exception.message': 'odd' })] },
    null,
  ],
  ['error.type', { status: failed, attributes: { 'error.type': 'timeout' } }, { type: 'timeout', message: '' }],
  [
    'an HTTP status',
    { status: failed, attributes: { 'http.response.status_code': 429 } },
    { type: '429', message: '' },
  ],
  [
    'a stack next to the message',
    {
      status: failed,
      events: [
        exception({ 'exception.message': 'boom', 'exception.stacktrace': 'E: boom\n    at /srv/send.mjs:22:9' }),
      ],
    },
    {
      type: '',
      message: 'boom',
      isStackRecorded: true,
      ownFrame: { file: '/srv/send.mjs', line: 22, isRaisedHere: true },
    },
  ],
  [
    'the stack of another error in the message',
    {
      status: {
        code: 2,
        message: 'No label\n\nTraceback (most recent call last):\n  File "/srv/rows.py", line 3, in f\nKeyError: 1',
      },
    },
    { type: '', message: 'No label' },
  ],
  [
    'the Python stack of the error in the message',
    {
      status: {
        code: 2,
        message:
          'ValueError(\'no rows\')Traceback (most recent call last):\n  File "/srv/rows.py", line 3, in f\nValueError: no rows',
      },
    },
    { ownFrame: { file: '/srv/rows.py', line: 3, isRaisedHere: true } },
  ],
  [
    'a stack in the message',
    { status: { code: 2, message: 'no rows\n\nDbError: no rows\n    at read (/srv/rows.mjs:3:1)' } },
    { type: 'DbError', message: 'no rows', ownFrame: { file: '/srv/rows.mjs', line: 3, isRaisedHere: true } },
  ],
])('%s', (_, fields, expected) => {
  const error = readSpanError(makeSpan(fields));
  if (expected !== null && !('message' in expected)) expect(error).toMatchObject(expected);
  else expect(error).toEqual(expected);
});

test.each([
  ['message, class and stack', 'no rows\n\nDbError: no rows\n    at run (a.js:1:1)', 'DbError', 'no rows'],
  ['class first', 'ValueError: no rows', 'ValueError', 'ValueError: no rows'],
  ["Python's form", "KeyError('city')", 'KeyError', "KeyError('city')"],
  ['Python stack', 'no rows\nTraceback (most recent call last):\n  File "x"', '', 'no rows'],
  ['lines that only look like it', 'step one: fine\nstep two: bad', '', 'step one: fine\nstep two: bad'],
])('splitStack: %s', (_, text, type, message) => {
  expect(splitStack(text)).toEqual({ type, message });
});

test('a message of 1 MB without a stack is read in linear time', () => {
  const message = `${'a'.repeat(2_000_000)}\n${'Error'.repeat(400_000)}\n${'Error: '.repeat(300_000)}`;
  expect(splitStack(message).message.length).toBeGreaterThan(0);
});
