import { expect, test } from 'vitest';
import { MisstepError, type Problem } from '../../client/misstep-client.generated.ts';
import { fieldProblemOf, problemTextOf } from './problem-text.ts';

const problem = {
  type: 'urn:misstep:problem:unavailable',
  title: 'Not available',
  status: 503,
  detail: 'The server is starting',
  instance: '/api/v1/issues',
  code: 'unavailable',
  request_id: 'a-request',
  errors: [],
} as unknown as Problem;
const FROM_A_PROXY = 'A proxy between this page and the server responded with status 503.';

test.each([
  ['a problem from the server', problem, 'The server is starting.'],
  ['a problem without a detail', { ...problem, detail: '' }, 'Not available.'],
  ['no problem', null, FROM_A_PROXY],
  [
    'a problem from a proxy, without our members',
    { title: 'Bad gateway', status: 503 } as unknown as Problem,
    FROM_A_PROXY,
  ],
])('the text of %s is one sentence', (_name, problemBody, text) => {
  expect(problemTextOf(new MisstepError(503, problemBody, null)).text).toBe(text);
});

test.each([
  [404, 'not_found', true],
  [404, 'route_not_found', false],
  [503, 'unavailable', false],
])('with status %i and code %s, the object is missing: %s', (status, code, isMissing) => {
  const body = { ...problem, status, code } as unknown as Problem;
  expect(problemTextOf(new MisstepError(status, body, null)).isMissing).toBe(isMissing);
});

test.each([
  ['/channels/webhook', 'It must be a URL.'],
  ['/channels/webhook/webhook_url', 'It must be a URL.'],
  ['/channels/email', 'Invalid email address.'],
  ['/channels/web', null],
  ['/min_severity', null],
])('the problem of %s is %s', (pointer, text) => {
  const errors = [
    { pointer: '/channels/webhook/webhook_url', message: 'must be a URL' },
    { pointer: '/channels/email/addresses/0', message: 'Invalid email address' },
  ];
  expect(fieldProblemOf(new MisstepError(422, { ...problem, errors }, null), pointer)).toBe(text);
  expect(fieldProblemOf(new TypeError('no network'), pointer)).toBeNull();
});
