import { isJsonObject, parseJson } from '../../core/json.ts';
import { isPlaceholderError } from '../../core/placeholder-error.ts';
import type { Trace } from '../../core/trace.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { isBare } from '../_readings/conduct/answer-line.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import type { FailureClass } from './classify.ts';
import type { Failure } from './failure.ts';

type Action = (failure: Failure, trace: Trace) => string;

/** One sentence that says what to change and where, from the error message and the trace. */
export function failureAction(trace: Trace, failure: Failure, isRetried: boolean): string {
  if (lineOf(failure) === '') return actionWithoutMessage(trace, failure);
  const action = ACTIONS[failure.class](failure, trace);
  const isRetryable =
    RETRIED.has(failure.class) && !isMisaddressed(failure) && !(failure.class === 'timeout' && failure.what === 'step');
  return isRetryable && !isRetried ? `${action} No retry of ${failure.name} is recorded.` : action;
}

/** Classes for which a later retry can help. */
const RETRIED: ReadonlySet<FailureClass> = new Set(['rate_limit', 'timeout', 'service']);

const ACTIONS: Readonly<Record<FailureClass, Action>> = {
  rate_limit: (failure, trace) => `${retryOf(trace, failure)}, or raise the quota behind it.`,
  auth: (failure) =>
    `Renew the credential that ${failure.name} uses, or give it the permission that "${lineOf(failure)}" requires.`,
  not_found: (failure, trace) =>
    adviceOnCall(trace, failure) ??
    `Have ${placeOf(trace, failure)} check that the requested object exists, and handle the case that it does not: "${lineOf(failure)}".`,
  timeout: (failure, trace) => {
    const limit = DURATION.exec(failure.text.message)?.[0];
    const raised =
      limit === undefined ? `the time limit of ${failure.name}` : `the time limit of ${failure.name} above ${limit}`;
    const waited = waitedFor(trace, failure)?.text ?? 'what it waits for';
    return failure.what === 'step'
      ? `Shorten ${waited}, or raise ${raised}.`
      : `Raise ${raised}, or shorten ${waited} ("${lineOf(failure)}"); ${lowerFirst(retryOf(trace, failure))}.`;
  },
  exhaustion: (failure) => `Send less to ${failure.name}, or raise the limit that it ran into ("${lineOf(failure)}").`,
  service: (failure, trace) =>
    isMisaddressed(failure)
      ? addressCheck(trace, failure)
      : `${addressCheck(trace, failure)} ${retryOf(trace, failure)}.`,
  invalid_arguments: (failure, trace) =>
    adviceOnCall(trace, failure) ?? `Correct the request that is sent to ${failure.name}: "${lineOf(failure)}".`,
  schema_mismatch: (failure, trace) => {
    const field = READ_FIELD.exec(failure.text.message)?.[1];
    const line = CODE_LINE.exec(failure.text.message)?.[1];
    const place = line === undefined ? failure.name : `line ${line} of ${failure.name}`;
    const what =
      field === undefined
        ? `the value that it reads ("${lineOf(failure)}")`
        : `that the value from which "${field}" is read exists`;
    return `In ${place}, check ${what} before its use.${inputText(trace, failure)}`;
  },
  internal_error: (failure) =>
    failure.what === 'model'
      ? `Catch the error around the call to ${failure.name}${failure.agent === null ? '' : ` in ${failure.agent}`}, and end the run with a message that names it. Record the stack of this error on the span of step ${failure.step}: "${lineOf(failure)}" was raised in the program around that call, and the trace does not show where.`
      : `Call ${failure.name} with the input of step ${failure.step} in a test, and correct the code that raises "${lineOf(failure)}".`,
  declined: (failure) =>
    `Have ${failure.agent ?? 'the agent'} tell the user what ${failure.name} returned ("${lineOf(failure)}"), and check before the call what it asks for.`,
  other: (failure, trace) => {
    if (DUPLICATE_KEY.test(failure.text.message))
      return `Have ${failure.name} update the existing record, or send an idempotency key: "${lineOf(failure)}".`;
    const action = adviceOnCall(trace, failure);
    if (action !== null && action !== undefined) return action;
    if (failure.what === 'step' && HOOK_NAME.test(failure.name))
      return `Run the command that ${failure.name} is configured with by hand, and check that it exists and prints what its caller expects: step ${failure.step} returned "${lineOf(failure)}".`;
    if (failure.what === 'step' && namesNoCause(failure))
      return `Find the cause in the log of ${placeOf(trace, failure)} at the time of step ${failure.step}: "${lineOf(failure)}" does not name it. Record the cause in the error message.`;
    const isHandled = trace.steps[failure.step]!.errorFallback !== undefined;
    return `Correct in ${placeOf(trace, failure)} what "${lineOf(failure)}" names${isHandled ? '' : ', and catch that error there, so that the run can continue or end with a message'}.`;
  },
};

/** A hook runs a command of the user's configuration. */
const HOOK_NAME = /(?:^|[._-])hooks?$/i;
/** A code such as `hook_error:` before the message. */
const CODE_PREFIX = /^\w{1,40}: /;

/** Whether an error names neither a place nor a value. */
function namesNoCause(failure: Failure): boolean {
  return isBare(lineOf(failure).replace(CODE_PREFIX, ''));
}

/** The node that the error names, or the last step that started inside the one that timed out; null if neither is known. */
export function waitedFor(
  trace: Trace,
  { step, name, text }: Pick<Failure, 'step' | 'name' | 'text'>,
): { name: string; text: string } | null {
  const named = trace.graph?.nodes.find((node) => node.name !== name && text.message.includes(node.name));
  if (named !== undefined) return { name: named.name, text: named.name };
  const inside = trace.steps.findLast(({ parent }) => parent === step);
  if (inside === undefined) return null;
  const own = inside.node ?? inside.name;
  return { name: own, text: `${own} (step ${inside.index}), the last step that had started` };
}

export const DURATION = /\b\d{1,9}(?:\.\d{1,6})? ?(?:ms|milliseconds?|s|sec|seconds?|min|minutes?)\b/;
const READ_FIELD = /\(reading '([\w$.-]{1,60})'\)|property '([\w$.-]{1,60})' of/;
const CODE_LINE = /\[line (\d{1,6})\]/;
/** Error messages of databases; 23505 and E11000 are the codes of PostgreSQL and MongoDB. */
const DUPLICATE_KEY = /duplicate key|unique constraint|\b23505\b|\bE11000\b/i;

/** The error message in one line; empty if the sender recorded none. */
function lineOf({ text }: Failure): string {
  return isPlaceholderError(text.message) ? '' : cut(oneLine(text.message), 140).replace(/\.$/, '');
}

function actionWithoutMessage(trace: Trace, { name, step, text }: Failure): string {
  const code = isPlaceholderError(text.code) || text.code === '' ? '' : ` next to "${text.code}"`;
  const { spanId } = trace.steps[step]!;
  return `Record the error of ${name}: its span (${spanId}) has no message${code}. Until then, look at the log of ${trace.serviceName ?? 'the service'} for trace ${trace.traceId}.`;
}

/** Advice from the call itself; null if no tool was called. */
function adviceOnCall(trace: Trace, { what, step }: Failure): string | null {
  return what === 'tool' ? (adviceAt(trace, step)?.action ?? null) : null;
}

/** `the node X`, if the workflow declares it. */
function placeOf(trace: Trace, { name, step }: Failure): string {
  const node = trace.steps[step]!.node ?? name;
  return trace.graph?.nodes.some((each) => each.name === node) ? `the node ${node}` : name;
}

/** How to configure a retry for this call. */
function retryOf(trace: Trace, failure: Failure): string {
  const { node: ownNode, name: ownName } = trace.steps[failure.step]!;
  // A model call of a workflow platform is named after its node; the failure is named after the model.
  const node = ownNode ?? ownName;
  if (trace.framework === 'n8n')
    return `Turn on Retry On Fail, with a wait between the tries, in the settings of the node ${node}`;
  const caller = failure.what === 'model' ? `the client that calls ${failure.name}` : failure.name;
  return `Retry in ${caller} with growing pauses, at most 3 times`;
}

const ADDRESS = /\b(?:https?:\/\/[^\s"')]{3,120}|(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}|localhost:\d{1,5})/;
const OWN_MACHINE = /^(?:https?:\/\/)?(?:127\.\d|localhost\b|0\.0\.0\.0)/;

/** Codes of the operating system: nothing listens at the address, or its name is not known. */
const NOTHING_THERE = /\b(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH)\b/;

/** A retry does not help before the address or the service behind it is corrected. */
function isMisaddressed(failure: Failure): boolean {
  const address = addressIn(failure);
  const isMissing = address !== undefined && (OWN_MACHINE.test(address) || NOTHING_THERE.test(failure.text.message));
  return failure.class === 'service' && isMissing;
}

function addressIn({ text }: Failure): string | undefined {
  return ADDRESS.exec(text.message)?.[0].replace(/[:;,.]$/, '');
}

function addressCheck(trace: Trace, failure: Failure): string {
  const address = addressIn(failure);
  const errorLine = lineOf(failure);
  if (address === undefined)
    return trace.framework === 'n8n'
      ? `Check the address in the settings of ${placeOf(trace, failure)}, and that the service behind it is up: "${errorLine}".`
      : `Check that the service behind ${failure.name} is up, and name its address in the error: "${errorLine}" names none.`;
  return OWN_MACHINE.test(address)
    ? `Check the address that ${failure.name} is configured with: ${address} is the machine itself, and no program listens there.`
    : `Check that ${address} is the address that ${failure.name} should call, and that it is up.`;
}

const MAX_FIELDS = 6;

/** The input fields of the step, if its input is recorded. */
function inputText(trace: Trace, { step, name }: Failure): string {
  const value = parseJson(trace.steps[step]!.input);
  const first = Array.isArray(value) ? value[0] : value;
  const record = first !== undefined && isJsonObject(first) && isJsonObject(first.json ?? null) ? first.json : first;
  if (record === undefined || !isJsonObject(record))
    return ` The input of ${name} is not recorded: record it to see what arrived.`;
  const keys = Object.keys(record);
  const given = keys.length === 0 ? 'a record without fields' : `the fields ${keys.slice(0, MAX_FIELDS).join(', ')}`;
  return ` ${name} received ${given}: read one of them, or have the step before ${name} provide the missing one.`;
}

function lowerFirst(text: string): string {
  return `${text[0]!.toLowerCase()}${text.slice(1)}`;
}
