import type { ToolUse } from '../_readings/calls/calls.ts';
import { classifyFailure } from '../_readings/calls/failure-class.ts';
import type { FailureText } from '../_readings/calls/failure-text.ts';
import { isBusinessRule } from './business-rule.ts';

/** How frameworks report an exception of a tool as its result. */
const WRAPPED =
  /^\W{0,3}(?:an )?error (?:executing|calling|invoking|running|while|when|in|occurred while)\b|^traceback\b/i;

/**
 * Whether an error text is the answer of a tool that ran, such as a business rule that forbids the request or an unknown
 * name: the text contains no error code, and the call did not fail, or its sender marks it as failed because of a business
 * rule.
 */
export function isOwnAnswer(use: ToolUse): boolean {
  const { failedBy, failure } = use;
  if (isBusinessRule(use)) return true;
  return failedBy === 'result' && !isErrorCode(failure!.code) && !isWrapped(failure!);
}

/** Whether a framework reports in the result that the tool raised an exception. */
export function isWrapped({ message }: FailureText): boolean {
  return WRAPPED.test(message);
}

/** Whether the error is a failed assertion, which is the result of a check. */
export function isAssertion(code: string): boolean {
  return /(?:^|\.)Assertion(?:Error|FailedError|Exception)?$/.test(code);
}

/** Whether the code is a status, an exception class, or a code with a known cause. */
function isErrorCode(code: string): boolean {
  if (code === '' || isAssertion(code)) return false;
  return /^[45]\d\d$|(?:Error|Exception|Timeout)$/.test(code) || classifyFailure({ code, message: '' }) !== 'other';
}
