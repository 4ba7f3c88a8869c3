import type { Span, SpanEvent } from '../../core/span.ts';
import type { StepError } from '../../core/trace.ts';
import { textAt } from './attribute-values.ts';
import { ownFrameIn, TRACEBACK } from './stack-frame.ts';

/**
 * Error of a span from its status, its last `exception` event and `error.type`. A span with status OK has no error,
 * whatever exceptions it recorded.
 */
export function readSpanError(span: Span): StepError | null {
  if (span.status.code === 1) return null;
  const exception = span.events.findLast((event) => event.name === 'exception');
  if (span.status.code !== 2 && !exception) return null;
  const recorded = exception ? textAt(exception.attributes, 'exception.message') : undefined;
  const clean = splitStack(recorded ?? span.status.message);
  const stack = exception ? textAt(exception.attributes, 'exception.stacktrace') : undefined;
  return {
    type: errorType(span, exception) ?? clean.type,
    message: clean.message,
    ...(stack === undefined || stack === '' ? {} : { isStackRecorded: true }),
    ...(stack === undefined ? frameInMessage(recorded ?? span.status.message) : frameIn(stack)),
  };
}

function frameIn(stack: string): Pick<StepError, 'ownFrame'> {
  const ownFrame = ownFrameIn(stack);
  return ownFrame === null ? {} : { ownFrame };
}

/** The error in a text that may contain its stack. */
export function readErrorText(text: string): StepError {
  return { ...splitStack(text), ...frameInMessage(text) };
}

/** A message may quote the stack of another error: a stack of Python ends with the error that it belongs to. */
function frameInMessage(text: string): Pick<StepError, 'ownFrame'> {
  const at = text.indexOf(TRACEBACK);
  const error = splitStack(text);
  const end = at === -1 ? '' : text.slice(text.trimEnd().lastIndexOf('\n') + 1);
  const isOwn = at === -1 || (error.type !== '' && end.startsWith(error.type)) || text.slice(0, at).trim() === '';
  return isOwn ? frameIn(text) : {};
}

function errorType(span: Span, exception: SpanEvent | undefined): string | undefined {
  const named = exception ? textAt(exception.attributes, 'exception.type') : undefined;
  if (named !== undefined) return lastSegment(named);
  return textAt(span.attributes, 'error.type', 'http.response.status_code', 'openclaw.errorCategory');
}

const ERROR_CLASS = /^[A-Za-z_][\w.$]{0,120}$/;

/**
 * Some senders join message, class and stack in one text: `message
 *
 * Class: message
 *     at …`.
 */
export function splitStack(text: string): StepError {
  const stackAt = firstIndex(text, ['\n    at ', '\nTraceback (most recent call last)']);
  const head = text.slice(0, stackAt);
  for (const line of head.split('\n').slice(1)) {
    const colon = line.indexOf(': ');
    const type = colon > 0 ? line.slice(0, colon) : '';
    if (ERROR_CLASS.test(type) && /(?:Error|Exception|Interrupt|Timeout)$/.test(type)) {
      const message = head.slice(0, head.indexOf(`\n${line}`)).trim();
      return { type: lastSegment(type), message: message === '' ? line.slice(colon + 2) : message };
    }
  }
  return { type: leadingClass(head), message: head.trim() };
}

function firstIndex(text: string, needles: string[]): number {
  const found = needles.map((needle) => text.indexOf(needle)).filter((index) => index >= 0);
  return found.length === 0 ? text.length : Math.min(...found);
}

/** `ValueError: no such row` and Python's `ValueError('no such row')`. */
function leadingClass(text: string): string {
  const type = /^[A-Za-z_][\w.]{0,120}(?=[:(])/.exec(text)?.[0] ?? '';
  return /(?:Error|Exception)$/.test(type) ? lastSegment(type) : '';
}

function lastSegment(type: string): string {
  return type.slice(type.lastIndexOf('.') + 1);
}
