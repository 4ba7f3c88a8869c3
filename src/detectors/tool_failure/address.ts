import { describedService } from './described-service.ts';
import { type FailedCall, placeOf, quoteOf } from './failed-call.ts';
import type { Failure } from './failure.ts';

const ADDRESS = /\b(?:https?:\/\/[^\s"')]{3,1000}|(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}|localhost:\d{1,5})/g;
const OWN_MACHINE = /^(?:https?:\/\/)?(?:127\.\d|localhost\b|0\.0\.0\.0)/;

/** Codes of the operating system: nothing listens at the address, or its name is not known. */
const NOTHING_THERE = /\b(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH)\b/;

/** A retry does not help before the address is corrected, or the service there runs. */
export function isMisaddressed(failure: Failure): boolean {
  const address = addressIn(failure);
  const isMissing = address !== undefined && (OWN_MACHINE.test(address) || NOTHING_THERE.test(failure.text.message));
  return failure.class === 'service' && isMissing;
}

/** The address or the host that the error names. */
export function addressIn({ text: { message } }: Failure): string | undefined {
  const found = [...message.slice(0, READ_CHARACTERS).matchAll(ADDRESS)].find(
    ({ index }) => !REFERENCE.test(message.slice(0, index)),
  );
  return (found?.[0] ?? HOST.exec(message)?.[1])?.replace(/[:;,.]$/, '');
}

const READ_CHARACTERS = 1_000;
/** Words before an address that is not called: `see https://…`. */
const REFERENCE =
  /\b(?:see|visit|read|docs?|documentation|refer to|contact us (?:at|through)|help center at|(?:info|information|details)(?: at)?)\W{1,3}$/i;
const HOST =
  /(?:\bENOTFOUND|\bEAI_AGAIN|\bhost=|\blookup |\bUnknownHostException:|connect to host|resolve host(?:name)?:?)\s?['"]?([\w-]{1,60}(?:\.[\w-]{1,60}){0,6})/;

/** One sentence: what to check about the address of the failed call. */
export function addressCheck(call: FailedCall): string {
  const { trace, failure } = call;
  const address = addressIn(failure);
  if (address === undefined) {
    const service = serviceOf(call);
    return trace.framework === 'n8n'
      ? `Check the address in the settings of ${placeOf(call)}, and that ${service} is up: ${quoteOf(failure)}.`
      : `Check that ${service} is up, and name its address in the error: ${quoteOf(failure)} names none.`;
  }
  return OWN_MACHINE.test(address)
    ? `Check the address that ${failure.name} is configured with: ${address} is the machine itself, and no program listens there.`
    : `Check that ${address} is the address that ${failure.name} should call, and that it is up.`;
}

/** The address or the description of the called service, as the error names it. */
export function serviceOf({ failure }: FailedCall): string {
  return addressIn(failure) ?? describedService(failure.text.message) ?? `the service ${ofOrCalledBy(failure)}`;
}

/** What was down or unreachable, as the error names it. */
export function unreachedService(failure: Failure): string {
  return addressIn(failure) ?? describedService(failure.text.message) ?? defaultService(failure);
}

function defaultService({ what }: Failure): string {
  return what === 'model' ? 'the service of the model' : 'a service that it needs';
}

/** A model is provided by a service; other steps call one. */
export function ofOrCalledBy({ what, name }: Failure): string {
  return what === 'model' ? `of ${name}` : `that ${name} calls`;
}

const REFUSED = /\bECONNREFUSED\b|\bERR_CONNECTION_REFUSED\b|\bconnection refused\b|\brefused the connection\b/i;

/** A clause: what was unreachable, and whether it refused the connection. */
export function unreachedText(failure: Failure): string {
  const isRefused = REFUSED.test(`${failure.text.code} ${failure.text.message.slice(0, READ_CHARACTERS)}`);
  return `${unreachedService(failure)} ${isRefused ? 'refused the connection' : 'was down or unreachable'}`;
}
