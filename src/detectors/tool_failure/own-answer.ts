import type { ToolUse } from '../_kit/calls.ts';
import type { FailureText } from '../_kit/failure-text.ts';
import { classifyFailure } from './classify.ts';

/** How frameworks report an exception of a tool as its result. */
const WRAPPED =
  /^\W{0,3}(?:an )?error (?:executing|calling|invoking|running|while|when|in|occurred while)\b|^traceback\b/i;

/**
 * An error text in the result of a call that did not fail, without the code of an error: the tool ran and answered, such as
 * with a rule of the business that forbids it or a name that it does not know. What its words mean is not read.
 */
export function isOwnAnswer({ failedBy, failure }: ToolUse): boolean {
  return failedBy === 'result' && !isErrorCode(failure!.code) && !isWrapped(failure!);
}

/** A framework reports in the result that the tool raised an exception. */
export function isWrapped({ message }: FailureText): boolean {
  return WRAPPED.test(message);
}

/** A failed assertion is the result of a check. */
export function isAssertion(code: string): boolean {
  return /(?:^|\.)Assertion(?:Error|FailedError|Exception)?$/.test(code);
}

/** A status, the class of an exception, or a code with a known cause. */
function isErrorCode(code: string): boolean {
  if (code === '' || isAssertion(code)) return false;
  return /^[45]\d\d$|(?:Error|Exception|Timeout)$/.test(code) || classifyFailure({ code, message: '' }) !== 'other';
}
