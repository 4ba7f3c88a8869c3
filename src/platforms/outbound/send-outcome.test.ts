import { describe, expect, it } from 'vitest';
import { retryAfterMs, toSendOutcome } from './send-outcome.ts';

const NOW = Date.UTC(2026, 0, 1);
const answered = (status: number, body = '', retryAfter?: string) =>
  toSendOutcome({ kind: 'answered', status, body, headers: { 'retry-after': retryAfter } }, NOW);

describe('a status', () => {
  it.each([
    [200, 'delivered'],
    [204, 'delivered'],
    [301, 'failed'],
    [307, 'failed'],
    [400, 'failed'],
    [401, 'failed'],
    [403, 'failed'],
    [404, 'removed'],
    [410, 'removed'],
    [408, 'retry'],
    [413, 'failed'],
    [425, 'retry'],
    [429, 'retry'],
    [500, 'retry'],
    [503, 'retry'],
  ])('%d means %s', (status, kind) => {
    expect(answered(status).kind).toBe(kind);
  });

  it('is reported with the message of the receiver in one sanitized line', () => {
    expect(answered(410, 'channel_is_archived\r\n\u202e')).toEqual({
      kind: 'removed',
      reason: 'The receiver answered 410 (channel_is_archived).',
    });
    expect(answered(502, '<html>')).toMatchObject({ reason: 'The receiver answered 502.' });
  });

  it('caused by a rate limit is a separate outcome', () => {
    expect(answered(429, '', '2')).toMatchObject({ kind: 'retry', afterMs: 2_000, isPaced: true });
    expect(answered(503, '', '2')).toMatchObject({ kind: 'retry', afterMs: 2_000, isPaced: false });
  });
});

describe('Retry-After', () => {
  it.each([
    ['30', 30_000],
    [' 1.5 ', 1_500],
    ['Thu, 01 Jan 2026 00:01:00 GMT', 60_000],
    ['Wed, 31 Dec 2025 00:00:00 GMT', 0],
    ['soon', null],
    ['-5', null],
    ['99999999999', null],
    [undefined, null],
  ])('%s', (header, ms) => {
    expect(retryAfterMs(header, NOW)).toBe(ms);
  });
});
