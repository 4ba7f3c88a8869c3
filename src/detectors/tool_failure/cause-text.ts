import type { FailureClass, FailureReason } from '../_readings/calls/failure-cause.ts';
import { addressIn, unreachedService, unreachedText } from './address.ts';
import type { Failure } from './failure.ts';

const CLASS_TEXT: Record<Exclude<FailureClass, 'service'>, string> = {
  rate_limit: 'was rejected because of too many requests',
  auth: 'was rejected because of its credential or permission',
  not_found: 'requested something that does not exist',
  timeout: 'did not finish in time',
  exhaustion: 'ran into a limit',
  invalid_arguments: 'was rejected because of its arguments',
  schema_mismatch: 'stopped because its data has another shape than expected',
  internal_error: 'stopped with an error inside its own code',
  declined: 'ran and returned an error message',
  other: 'failed',
};

const REASON_TEXT: Readonly<Record<FailureReason, string | ((failure: Failure) => string)>> = {
  money: 'was rejected because credit or funds are used up',
  storage: 'failed because storage is full',
  memory: 'ran out of memory',
  open_files: 'failed because its process has too many open files',
  connections: 'failed because all allowed connections are in use',
  size: 'was rejected because its input exceeds a limit',
  quota: 'failed because a quota is used up',
  certificate: 'failed because the certificate of a server was not accepted',
  tls: 'failed because no TLS connection was established',
  name_resolution: (failure) => {
    const host = addressIn(failure);
    return `failed because ${host === undefined ? 'a host name' : `the host name ${host}`} was not resolved`;
  },
  lost_connection: (failure) => `failed because the connection to ${unreachedService(failure)} ended`,
  overloaded: (failure) => `failed because ${unreachedService(failure)} was overloaded`,
  gateway: 'failed because a gateway got no valid answer',
  server_error: (failure) => `failed because ${unreachedService(failure)} answered with a server error`,
  no_connection_in_time: 'got no connection in time',
  gateway_timeout: 'failed because a gateway got no answer in time',
  system_permission: 'was refused by the permissions of the system',
  missing_credential: 'failed because a credential is missing',
  missing_package: 'failed because a program or package that it needs is not installed',
  missing_table: 'requested a table or column that does not exist',
  missing_method: 'requested a method that does not exist',
  request_form: 'was rejected because of the form of its HTTP request',
  bad_request: 'was rejected as an invalid request',
  lock: 'failed because other work locked or changed the same data',
  conflict: 'was rejected because it does not fit the current state of the data',
  killed: 'was killed before it finished',
  cancelled: 'was cancelled before it finished',
  content_filter: 'was rejected by a content filter',
  read_only: 'failed because it wrote to a place that accepts reads only',
  configuration: 'failed because of its configuration',
};

/** What the error says about the cause, as the end of a sentence about the call. */
export function causeText(failure: Failure): string {
  const { class: failureClass, reason } = failure;
  const known = reason === null ? undefined : REASON_TEXT[reason];
  if (known !== undefined) return typeof known === 'string' ? known : known(failure);
  if (failureClass === 'service') return `failed because ${unreachedText(failure)}`;
  return isClientError(failure) ? 'failed with an error that a program raised' : CLASS_TEXT[failureClass];
}

/** A model call has no code of its own. */
export function isClientError({ class: failureClass, what }: Failure): boolean {
  return failureClass === 'internal_error' && what === 'model';
}

/** Replaces the title of the subtype if the reason is not what that title says. */
export function causeTitle(failure: Failure): string | null {
  if (isClientError(failure)) return 'Error in the client of a model call';
  return failure.reason === 'request_form' || failure.reason === 'bad_request' ? 'Request rejected' : null;
}
