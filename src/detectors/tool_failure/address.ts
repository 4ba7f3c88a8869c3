import { type FailedCall, lineOf, placeOf } from './failed-call.ts';
import type { Failure } from './failure.ts';

const ADDRESS = /\b(?:https?:\/\/[^\s"')]{3,120}|(?:\d{1,3}\.){3}\d{1,3}:\d{1,5}|localhost:\d{1,5})/;
const OWN_MACHINE = /^(?:https?:\/\/)?(?:127\.\d|localhost\b|0\.0\.0\.0)/;

/** Codes of the operating system: nothing listens at the address, or its name is not known. */
const NOTHING_THERE = /\b(?:ECONNREFUSED|ENOTFOUND|EHOSTUNREACH)\b/;

/** A retry does not help before the address or the service behind it is corrected. */
export function isMisaddressed(failure: Failure): boolean {
  const address = addressIn(failure);
  const isMissing = address !== undefined && (OWN_MACHINE.test(address) || NOTHING_THERE.test(failure.text.message));
  return failure.class === 'service' && isMissing;
}

export function addressIn({ text }: Failure): string | undefined {
  return ADDRESS.exec(text.message)?.[0].replace(/[:;,.]$/, '');
}

/** One sentence: what to check about the address of the failed call. */
export function addressCheck(call: FailedCall): string {
  const { trace, failure } = call;
  const address = addressIn(failure);
  const line = lineOf(failure);
  if (address === undefined)
    return trace.framework === 'n8n'
      ? `Check the address in the settings of ${placeOf(call)}, and that the service behind it is up: "${line}".`
      : `Check that the service behind ${failure.name} is up, and name its address in the error: "${line}" names none.`;
  return OWN_MACHINE.test(address)
    ? `Check the address that ${failure.name} is configured with: ${address} is the machine itself, and no program listens there.`
    : `Check that ${address} is the address that ${failure.name} should call, and that it is up.`;
}
