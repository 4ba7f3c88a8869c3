import { PLACEHOLDER_ERROR } from '../../../core/decoder-error.ts';
import { isJsonObject, type Json, type JsonObject, parseJson } from '../../../core/json.ts';

/** Failure that a tool reported about itself; `code` is an HTTP status or an error class, empty if the text has neither. */
export interface FailureText {
  code: string;
  message: string;
}

/**
 * The failure that a result reports although its span did not fail: an error object in JSON, or a text that starts with an
 * error. The word "error" inside content (a file, a page, a test report) is not a failure.
 */
export function failureInResult(result: Json): FailureText | null {
  if (isJsonObject(result)) return failureInObject(result);
  if (typeof result !== 'string') return null;
  const text = result.trimStart();
  if (text.startsWith('{') && text.length < 20_000) {
    const parsed = parseJson(text);
    return isJsonObject(parsed) ? failureInObject(parsed) : null;
  }
  return failureInText(text);
}

/** `Error: (none)`, `error: None`: the field of a report in which a program says that there was no error. */
const NO_ERROR =
  /^\s{0,8}(?:error|exception|fatal|panic): {0,4}(?:\(none\)|\(empty\)|none|null|nil|undefined|n\/a|false|-)[ \t]{0,8}(?:\n|$)/i;
const NO_VALUE = /^\s{0,8}(?:\(none\)|\(empty\)|none|null|nil|undefined)\s{0,8}$/i;

/** Whether a text begins with a label for errors and a value that means that there was none. */
export function statesNoError(text: string): boolean {
  return NO_ERROR.test(text);
}

function failureInObject(object: JsonObject): FailureText | null {
  const code = statusCode(object);
  const error = object.error ?? object.Error ?? object.exception ?? object.__error__ ?? listedError(object);
  const message = messageOf(error) ?? (code === null ? null : (messageOf(object.message ?? object.detail) ?? ''));
  if (error !== undefined && message !== null) return { code: code ?? codeOf(error), message };
  if (code !== null) return { code, message: message ?? '' };
  const isRefused =
    object.success === false || object.ok === false || object.isError === true || object.is_error === true;
  const status = typeof object.status === 'string' ? object.status.toLowerCase() : '';
  if (!isRefused && !['error', 'failed', 'failure'].includes(status)) return null;
  const why = messageOf(
    object.message ?? object.detail ?? object.reason ?? object.content ?? object.msg ?? object.errors,
  );
  return why === null ? null : { code: '', message: why };
}

/**
 * The first of `errors`, if the list explains why there is no result, as in GraphQL and JSON:API. Otherwise the list is the
 * result: what a linter, a validator or a test reported.
 */
function listedError({ errors, data }: JsonObject): Json | undefined {
  const [first] = Array.isArray(errors) ? errors : [];
  if (!isJsonObject(first)) return data === null && first !== undefined ? first : undefined;
  const isReport = data === null || first.extensions !== undefined || statusCode(first) !== null;
  return isReport ? first : undefined;
}

/**
 * Fields of an error body (RFC 9457, Spring, FastAPI and others). A body with any other field is a result that contains a
 * status.
 */
const ERROR_FIELDS = new Set(
  (
    'status status_code statuscode code http_status httpcode message msg detail details description error errors error_code ' +
    'errorcode error_description reason title type instance timestamp path request_id requestid trace_id traceid success ok ' +
    'iserror is_error statustext status_text exception documentation_url hint retry_after retryafter'
  ).split(' '),
);

/** An HTTP status of at least 400 in a status field, in a body that contains only an error and its description. */
function statusCode(object: JsonObject): string | null {
  const names = Object.keys(object);
  if (names.length < 2 || !names.every((name) => ERROR_FIELDS.has(name.toLowerCase()))) return null;
  for (const name of ['status', 'status_code', 'statusCode', 'code', 'http_status', 'httpCode']) {
    const value = object[name];
    const code = typeof value === 'string' && /^\d{3}$/.test(value) ? Number(value) : value;
    if (typeof code === 'number' && code >= 400 && code < 600) return String(code);
  }
  return null;
}

function messageOf(error: Json | undefined): string | null {
  if (typeof error === 'string') return error.trim() === '' || NO_VALUE.test(error) ? null : error;
  if (Array.isArray(error)) return error.length === 0 ? null : messageOf(error[0]);
  if (!isJsonObject(error)) return error === true ? PLACEHOLDER_ERROR.flag : null;
  const inner = messageOf(error.message ?? error.msg ?? error.detail ?? error.description ?? error.error);
  return inner ?? (Object.keys(error).length === 0 ? null : JSON.stringify(error));
}

function codeOf(error: Json | undefined): string {
  if (!isJsonObject(error)) return '';
  const code = error.status ?? error.code ?? error.type;
  return typeof code === 'string' || typeof code === 'number' ? String(code) : '';
}

/** `Error: …`, `Error while reading: …`, `ValueError: …`, `404 Client Error: …`, `HTTP 503 …`, `Traceback (most recent call last)`. */
const OPENING =
  /^(?:\[?error\]?(?: (?!handling\b)[a-z]{2,20}ing\b[^\n:]{1,80}| (?:while|when|in|during|from|at|on|code)\b[^\n:]{0,80}| ?\(?\d{3}\b[^\n:]{0,80})?: *|an error occurred while (?:running|executing|calling) the tool\b|(?:[A-Za-z_]{1,60}\.){0,6}(?<type>[A-Z][A-Za-z]{0,60}(?:Error|Exception|Timeout))\b(?:: *|$|\n)|Traceback \(most recent call last\)|(?:HTTP(?:\/[\d.]{1,3})? |status(?: code)?:? |error )?(?<code>[45]\d\d)(?: (?:client|server) error\b|[:,]? (?:bad request|unauthorized|forbidden|not found|method not allowed|request timeout|conflict|payload too large|unprocessable|too many requests|internal server error|bad gateway|service unavailable|gateway timeout)\b))/i;

/** In a longer text, an error at the start is content about errors, not the report of one. */
const REPORT_LIMIT = 4000;

function failureInText(text: string): FailureText | null {
  if (text.length > REPORT_LIMIT || statesNoError(text)) return null;
  const opening = OPENING.exec(text.slice(0, 400));
  if (opening === null) return statusLine(text) ?? rejectedRequest(text);
  if (text.startsWith('Traceback')) return { code: RAISED.exec(lastLine(text))?.[1] ?? '', message: lastLine(text) };
  return { code: opening.groups?.code ?? opening.groups?.type ?? '', message: text };
}

/** `HTTP 400 query exceeds 5000 rows`: a single line that begins with a status and continues with the reason of the service. */
const STATUS_LINE = /^HTTP(?:\/[\d.]{1,3})?[ :]{1,2}([45]\d\d)(?:[:,;.]| [-–—])? \p{L}[^\n]{0,280}$/u;

function statusLine(text: string): FailureText | null {
  if (!text.startsWith('HTTP')) return null;
  const code = STATUS_LINE.exec(text.trimEnd())?.[1];
  return code === undefined ? null : { code, message: text };
}

/** The line in which an SDK reports the answer of a service that rejected the request, below a heading of the tool. */
const REJECTED_REQUEST = /^API Error: ([45]\d\d) \{"type":"error".{0,1000}$/m;
const MAX_HEADED_LENGTH = 2_000;

function rejectedRequest(text: string): FailureText | null {
  if (text.length > MAX_HEADED_LENGTH || !text.includes('API Error: ')) return null;
  const found = REJECTED_REQUEST.exec(text);
  return found === null ? null : { code: found[1]!, message: found[0] };
}

/** The exception class at the start of the line that names it. */
const RAISED = /^(?:[A-Za-z_]{1,60}\.){0,6}([A-Z][A-Za-z]{0,60}(?:Error|Exception|Timeout))\b/;

function lastLine(text: string): string {
  return text.trimEnd().split('\n').pop() ?? text;
}
