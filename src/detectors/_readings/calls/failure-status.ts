import type { FailureClass, FailureReason } from './failure-cause.ts';

const CLASSES: Readonly<Record<string, FailureClass>> = {
  400: 'invalid_arguments',
  401: 'auth',
  402: 'exhaustion',
  403: 'auth',
  404: 'not_found',
  405: 'invalid_arguments',
  406: 'invalid_arguments',
  407: 'auth',
  408: 'timeout',
  410: 'not_found',
  413: 'exhaustion',
  415: 'invalid_arguments',
  422: 'invalid_arguments',
  426: 'invalid_arguments',
  429: 'rate_limit',
  431: 'exhaustion',
  501: 'invalid_arguments',
  504: 'timeout',
  505: 'invalid_arguments',
  507: 'exhaustion',
  524: 'timeout',
};

const REASONS: Readonly<Record<string, FailureReason>> = {
  402: 'money',
  405: 'request_form',
  406: 'request_form',
  409: 'conflict',
  412: 'conflict',
  413: 'size',
  415: 'request_form',
  423: 'lock',
  426: 'request_form',
  431: 'size',
  501: 'request_form',
  502: 'gateway',
  504: 'gateway_timeout',
  505: 'request_form',
  507: 'storage',
  524: 'gateway_timeout',
  529: 'overloaded',
};

/** Null for a status whose class depends on the message, such as 409. */
export function classByStatus(status: string): FailureClass | null {
  return CLASSES[status] ?? (isServerError(status) ? 'service' : null);
}

export function reasonByStatus(status: string, message: string): FailureReason | null {
  const known = REASONS[status];
  if (known !== undefined) return known;
  if (isServerError(status)) return status === '503' ? null : 'server_error';
  const isBare = message.replace(LINK, '').replace(STATUS_WORDS, '') === '';
  return isBare && message !== '' && CLASSES[status] === 'invalid_arguments' ? 'bad_request' : null;
}

const LINK = /https?:\/\/\S{1,300}/g;
/** What a message contains that says no more than its status. */
const STATUS_WORDS =
  /\b(?:https?|error|client|request|failed|with|status|code|for|url|bad|unprocessable|entity|content)\b|\W|\d/gi;

/** Server errors of HTTP, and those of proxies (520 to 530). SMTP and FTP use other numbers. */
function isServerError(status: string): boolean {
  return /^5(?:0\d|1[01]|2\d|30)$/.test(status);
}

/** An HTTP status at a place for a status: in the code, at the start, or after a word that introduces it. */
export function httpStatus(code: string, message: string): string | null {
  const found = /^[45]\d\d$/.test(code) ? code : (OPENING.exec(message)?.[1] ?? INTRODUCED.exec(message)?.[1] ?? null);
  return found !== null && (found.startsWith('4') || isServerError(found)) ? found : null;
}

const OPENING = /^\W{0,2}([45]\d\d)\b(?! \d\.\d)/;
const INTRODUCED = /\b(?:HTTP|status(?:[ _]code)?|code|error)[: =]{1,3}([45]\d\d)\b/i;
