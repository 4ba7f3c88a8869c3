import { isPlaceholderError } from '../../core/decoder-error.ts';
import type { Trace } from '../../core/trace.ts';
import { joined } from '../_kit/text.ts';
import type { FailedCall } from './failed-call.ts';
import { fixOf, type Remedy } from './remedy.ts';

/** The recorded error has no message: nothing says what to correct. */
export function recordRemedy({ trace, failure: { name, step, text } }: FailedCall): Remedy {
  const code = isPlaceholderError(text.code) || text.code === '' ? '' : ` next to "${text.code}"`;
  const { spanId } = trace.steps[step]!;
  // The sender does not know a span id that was derived.
  const isDerived = trace.senderIds !== undefined;
  const place = isDerived ? 'record' : `span (${spanId})`;
  const record = `${isDerived ? `Have ${name} report its error` : `Record the error of ${name}`}: its ${place} has no message${code}.`;
  return {
    action: `${record} Until then, look at ${hasThread(trace) ? 'the state of the thread and ' : ''}the log of ${trace.serviceName ?? 'the service'} for ${idsText(trace)}.`,
    fixes: [
      fixOf(name, {
        fixType: 'workflow_change',
        title: `Record the error of ${name}`,
        description: `${record} Record the exception${isDerived ? ' with its type, message and stack.' : ' on that span, and set its status description to the error message.'}`,
        rationale: 'Without the message, neither a person nor an agent can tell what to correct.',
        change: isDerived
          ? `record of ${name}: type, message and stack of its error`
          : `span of ${name}: an exception event with type, message and stack; status ERROR with the message as its description`,
      }),
    ],
  };
}

/** A derived trace id is not in the logs of the sender. */
function idsText({ senderIds = [], traceId }: Trace): string {
  return senderIds.length === 0 ? `trace ${traceId}` : joined(senderIds.map(({ name, id }) => `${name} ${id}`));
}

function hasThread({ senderIds = [] }: Trace): boolean {
  return senderIds.some(({ name }) => name === 'thread_id');
}
