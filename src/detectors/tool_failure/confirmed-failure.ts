import type { Trace } from '../../core/trace.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import type { FailureClass } from '../_readings/calls/failure-cause.ts';
import { classifyFailure } from '../_readings/calls/failure-class.ts';
import { expectedFailures } from '../_readings/conduct/expected-failures.ts';
import { probedFailures } from '../_readings/conduct/probed-failures.ts';

/** Classes of failures that say nothing about what was called, unless the called service answered with a status. */
const CALLER_CLASSES: ReadonlySet<FailureClass> = new Set([
  'invalid_arguments',
  'schema_mismatch',
  'internal_error',
  'rate_limit',
  'exhaustion',
]);
const REJECTED = /^4(?!29)\d\d$/;
/** `422 Unprocessable Entity` in the message of an exception. */
const REJECTED_IN_MESSAGE = /(?<!\d)4(?!29)\d\d(?: [A-Z][a-z]{2,20}){1,3}/;

/** Whether a call failed as the user expects, and not because of its arguments, or answers a probe of the user. */
export function isConfirmedFailure(trace: Trace, use: ToolUse): boolean {
  return probedFailures(trace).has(use) || (expectedFailures(trace).has(use) && isAboutTarget(use));
}

function isAboutTarget({ failure }: ToolUse): boolean {
  const { code, message } = failure!;
  return (
    REJECTED.test(code) ||
    REJECTED_IN_MESSAGE.test(message.slice(0, 300)) ||
    !CALLER_CLASSES.has(classifyFailure(failure!))
  );
}
