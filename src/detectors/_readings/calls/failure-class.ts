import type { FailureCause, FailureClass } from './failure-cause.ts';
import { classByStatus, httpStatus, reasonByStatus } from './failure-status.ts';
import type { FailureText } from './failure-text.ts';
import { WORDINGS } from './failure-wordings.ts';

/** A type error about the arguments of the caller; any other type error is inside the code. */
const TYPE_ERROR = /\bTypeError\b/;
const WRONG_CALL = /\b(?:arguments?|parameters?|keyword)\b/i;

/** Runtime errors; the arguments of the call may or may not have caused them. */
const INTERNAL =
  /\b(?:TypeError|AttributeError|KeyError|IndexError|NameError|UnboundLocalError|ZeroDivisionError|AssertionError|RecursionError|ReferenceError|RangeError|NullPointerException|NullReferenceException|ClassCastException|StackOverflowError|NoMethodError|UnicodeDecodeError|UnicodeEncodeError|NotImplementedError|StopIteration|JSONDecodeError)\b|object has no attribute|object is not (?:subscriptable|callable|iterable)|\bnot iterable\b|indices must be|index out of range|division by zero|is not (?:a function|defined)\b|Expecting value: line \d|Unexpected token .{1,40} in JSON|Unexpected end of JSON input|\bpanic: runtime error|\bpanicked at\b|segmentation fault|\bSIGSEGV\b|MCP error -32603/i;

/** Errors that a tool may raise to report that the requested thing does not exist. */
const LOOKUP = /\b(?:KeyError|IndexError)\b/;

/** An error describes itself at its beginning; pages and stack traces after it mention everything. */
const READ_CHARACTERS = 400;

export function classifyFailure(text: FailureText): FailureClass {
  return failureCause(text).class;
}

export function failureCause({ code, message }: FailureText): FailureCause {
  const text = `${code} ${causeIn(message).slice(0, READ_CHARACTERS)}`;
  const status = httpStatus(code, message.slice(0, READ_CHARACTERS));
  const worded = causeByWording(text);
  if (status === null) return worded ?? { class: 'other', reason: null };
  if (status === '429' && worded?.class === 'exhaustion') return worded;
  // Providers return 400 for many reasons; the message distinguishes them.
  if (status === '400' && worded !== null && worded.class !== 'invalid_arguments') return worded;
  const known = classByStatus(status);
  if (known === null) return worded ?? { class: 'other', reason: reasonByStatus(status, message) };
  const isWorded = worded?.class === known && worded.reason !== null;
  return { class: known, reason: isWorded ? worded.reason : reasonByStatus(status, message) };
}

function causeByWording(text: string): FailureCause | null {
  const found = WORDINGS.find(({ pattern }) => pattern.test(text));
  // The name of an error class is more specific than its message.
  const isMissing = found?.class === 'not_found' && LOOKUP.test(text);
  const isAmbiguous =
    !isMissing && (found === undefined || found.class === 'invalid_arguments' || found.class === 'not_found');
  if (isAmbiguous && INTERNAL.test(text))
    return { class: isWrongCall(text) ? 'invalid_arguments' : 'internal_error', reason: null };
  return found === undefined ? null : { class: found.class, reason: found.reason ?? null };
}

function isWrongCall(text: string): boolean {
  return TYPE_ERROR.test(text) && WRONG_CALL.test(text);
}

/** Code runners quote the failing line, followed by the cause. */
function causeIn(message: string): string {
  const at = message.lastIndexOf('due to: ', 4 * READ_CHARACTERS);
  return at === -1 ? message : message.slice(at + 'due to: '.length);
}
