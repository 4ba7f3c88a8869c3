import { AppError } from '../../core/app-error.ts';
import { isJsonObject, parseJson } from '../../core/json.ts';
import { retryAfterMs } from './send-outcome.ts';
import type { OutboundAnswer } from './send-request.ts';

/** Names of an API in messages: `n8n`, and `the API key` of the request. */
export interface PlatformNames {
  platform: string;
  credential: string;
}

type Answered<Body> = Extract<OutboundAnswer<Body>, { kind: 'answered' }>;

/** The complete response. @throws AppError `conflict` if the address is not allowed, `unreachable` if there was no complete response */
export function requireResponse<Body>(answer: OutboundAnswer<Body>, platform: string): Answered<Body> {
  if (answer.kind === 'refused') throw new AppError('conflict', answer.reason);
  if (answer.kind === 'unreachable')
    throw new AppError('unreachable', `${platform} cannot be reached. ${answer.reason}`);
  if (answer.isBrokenOff)
    throw new AppError('unreachable', `The line to ${platform} broke before the response was complete.`);
  return answer;
}

/**
 * The error for a failed API response: `conflict` if a retry would not help,
 * `unreachable` if it may, with `retryAfterSeconds` if the server sent it.
 * @param now Unix milliseconds
 */
export function platformError(
  { status, headers, body }: Answered<Buffer>,
  { platform, credential }: PlatformNames,
  now: number,
): AppError {
  const detail = messageIn(body);
  if (status === 401 || status === 403)
    return new AppError('conflict', `${platform} refuses ${credential} (${status}${detail}); store a valid one.`);
  const retryAfter = retryAfterMs(headers['retry-after'], now);
  const extra = retryAfter === null ? {} : { retryAfterSeconds: Math.ceil(retryAfter / 1000) };
  if (status === 429) return new AppError('unreachable', `${platform} limits the request rate (429).`, extra);
  if (status >= 500) return new AppError('unreachable', `${platform} answered ${status}.`, extra);
  return new AppError('conflict', `${platform} answered ${status}${detail}.`);
}

const MAX_MESSAGE_CHARACTERS = 200;
/** A longer error body is not read. */
const MAX_READ_BYTES = 65_536;

/** The `message` of its response, as one line. */
function messageIn(body: Buffer): string {
  const value = body.length > MAX_READ_BYTES ? undefined : parseJson(body.toString());
  const message = isJsonObject(value) && typeof value.message === 'string' ? value.message : '';
  const line = message.replaceAll(/\p{Cc}+/gu, ' ').trim();
  return line === '' ? '' : `: ${[...line].slice(0, MAX_MESSAGE_CHARACTERS).join('')}`;
}
