import { isPlaceholderError } from '../../core/decoder-error.ts';
import type { FailedCall } from './failed-call.ts';
import { fixOf, type Remedy } from './remedy.ts';

/** The error of the span has no message: nothing says what to correct. */
export function recordRemedy({ trace, failure: { name, step, text } }: FailedCall): Remedy {
  const code = isPlaceholderError(text.code) || text.code === '' ? '' : ` next to "${text.code}"`;
  const { spanId } = trace.steps[step]!;
  const record = `Record the error of ${name}: its span (${spanId}) has no message${code}.`;
  return {
    action: `${record} Until then, look at the log of ${trace.serviceName ?? 'the service'} for trace ${trace.traceId}.`,
    fixes: [
      fixOf(name, {
        fixType: 'workflow_change',
        title: `Record the error of ${name}`,
        description: `${record} Record the exception on that span, and set its status description to the error message.`,
        rationale: 'Without the message, neither a person nor an agent can tell what to correct.',
        change: `span of ${name}: an exception event with type, message and stack; status ERROR with the message as its description`,
      }),
    ],
  };
}
