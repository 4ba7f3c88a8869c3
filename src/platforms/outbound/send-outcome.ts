import type { SendOutcome } from '../../core/alert.ts';
import { plainLine } from '../../core/plain-text.ts';
import type { OutboundAnswer } from './send-request.ts';

const MAX_MESSAGE_CHARACTERS = 120;
const RETRIED_STATUSES = [408, 425, 429];
const REMOVED_STATUSES = [404, 410];

/** Maps a response to the outcome for the message; `afterMs` from a `Retry-After` in seconds or as a date, relative to `now`. */
export function toSendOutcome(answer: OutboundAnswer, now: number): SendOutcome {
  if (answer.kind === 'refused') return { kind: 'failed', reason: answer.reason };
  if (answer.kind === 'unreachable') return { kind: 'retry', reason: answer.reason, afterMs: null, isPaced: false };
  const { status } = answer;
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const reason = `The receiver answered ${status}${messageIn(answer.body)}.`;
  if (REMOVED_STATUSES.includes(status)) return { kind: 'removed', reason };
  if (status >= 500 || RETRIED_STATUSES.includes(status)) {
    return {
      kind: 'retry',
      reason,
      afterMs: retryAfterMs(answer.headers['retry-after'], now),
      isPaced: status === 429,
    };
  }
  return { kind: 'failed', reason };
}

function messageIn(body: string): string {
  const line = plainLine(body);
  if (line === '' || line.startsWith('<')) return '';
  return ` (${[...line].slice(0, MAX_MESSAGE_CHARACTERS).join('')})`;
}

/** RFC 9110, 10.2.3; null if missing or invalid. */
export function retryAfterMs(header: string | undefined, now: number): number | null {
  const text = header?.trim() ?? '';
  if (/^\d{1,9}(\.\d{1,9})?$/.test(text)) return Math.ceil(Number(text) * 1_000);
  const date = /GMT$/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - now);
}
