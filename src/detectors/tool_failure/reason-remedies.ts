import type { FixType } from '../../core/detection.ts';
import type { FailureReason } from '../_readings/calls/failure-cause.ts';
import { addressIn, ofOrCalledBy, serviceOf } from './address.ts';
import { type FailedCall, lineOf, quoteOf } from './failed-call.ts';
import { fixOf, type Remedy } from './remedy.ts';
import { retryOf } from './retry.ts';

/** What to do about an error whose reason is known. */
interface ReasonAdvice {
  fixType: FixType;
  title: string;
  /** One sentence without a full stop. */
  action: string;
  /** Why it helps. */
  rationale: string;
  /** The change in place of the action. */
  change?: string;
  /** The errors that a retry may pass; no retry if omitted. */
  retryOn?: string;
}

/** The remedy for the reason of a failure; null if the error says no more than its class. */
export function reasonRemedy(call: FailedCall): Remedy | null {
  const { reason, name } = call.failure;
  if (reason === null) return null;
  const { fixType, title, action, rationale, change = action, retryOn } = ADVICE[reason](call);
  if (retryOn === undefined)
    return {
      action: `${action}.`,
      fixes: [fixOf(name, { fixType, title, description: `${action}.`, rationale, change })],
    };
  const texts = { title, description: `${action}. Retry at most ${RETRIES} times.`, rationale };
  const retry = retryOf(call, { retries: RETRIES, timeoutSeconds: 30, on: retryOn, ...texts });
  return { action: `${action}. ${retry.clause}.${retry.note}`, fixes: retry.fixes };
}

/** Attempts that the advice allows. */
export const RETRIES = 3;

/** The error message, or its code if the sender recorded no message. */
function errorOf({ failure }: FailedCall): string {
  return lineOf(failure) === '' ? `"${failure.text.code}"` : quoteOf(failure);
}

const ADVICE: Readonly<Record<FailureReason, (call: FailedCall) => ReasonAdvice>> = {
  money: (call) => ({
    fixType: 'budget_limit',
    title: `Add credit to the account of ${call.failure.name}`,
    action: `Add credit to the account that ${errorOf(call)} is about, or raise its spending limit`,
    rationale: 'The account has no credit left for this request, so the same request fails again.',
  }),
  storage: (call) => ({
    fixType: 'config_change',
    title: `Free disk space for ${call.failure.name}`,
    action: `Free disk space, or add some, on the machine that reports ${errorOf(call)}`,
    rationale: 'Each further write fails until there is free space.',
  }),
  memory: (call) => ({
    fixType: 'config_change',
    title: `Give ${call.failure.name} enough memory`,
    action: `Give the process that reports ${errorOf(call)} more memory, or have ${call.failure.name} process less data at a time`,
    rationale: 'The same data need the same memory again.',
  }),
  open_files: (call) => ({
    fixType: 'config_change',
    title: `Close files and connections of ${call.failure.name} after their use`,
    action: `Close files and connections after their use in the process that reports ${errorOf(call)}, or raise its limit of open files`,
    rationale: 'The process has as many open files and connections as it may have.',
  }),
  connections: (call) => ({
    fixType: 'config_change',
    title: `Keep ${call.failure.name} within the limit of connections`,
    action: `Close connections after their use and share a pool of them, or raise the limit of connections: ${errorOf(call)}`,
    rationale: 'All allowed connections are in use.',
  }),
  size: (call) => ({
    fixType: 'budget_limit',
    title: `Keep ${call.failure.name} within its limit`,
    action: `Send less to ${call.failure.name}, or raise the limit that it ran into (${errorOf(call)})`,
    rationale: 'The same input exceeds the limit again.',
    change: 'Shorten the input to the limit before the call, and check its size.',
  }),
  quota: (call) => ({
    fixType: 'budget_limit',
    title: `Raise the quota of ${call.failure.name}`,
    action: `Raise the quota that ${call.failure.name} used up, or wait until it is renewed: ${errorOf(call)}`,
    rationale: 'Further requests fail until the quota is renewed or raised.',
  }),
  certificate: (call) => ({
    fixType: 'config_change',
    title: `Correct the certificate for ${call.failure.name}`,
    action: `Check the certificate of ${serviceOf(call)} (${errorOf(call)}): renew it if it has expired, install its issuer where ${call.failure.name} runs if it is not trusted, and correct the address if it names another host`,
    rationale: 'A retry receives the same certificate.',
  }),
  tls: (call) => ({
    fixType: 'config_change',
    title: `Correct the TLS settings for ${call.failure.name}`,
    action: `Check that ${serviceOf(call)} uses TLS at the address and port that ${call.failure.name} calls, in a version that both accept: ${errorOf(call)}`,
    rationale: 'A retry fails in the same way.',
  }),
  name_resolution: (call) => ({
    fixType: 'config_change',
    title: `Correct the host name that ${call.failure.name} calls`,
    action: `Check that ${addressIn(call.failure) ?? `the host name in the configuration of ${call.failure.name}`} is correct, and that the DNS server knows it where ${call.failure.name} runs: ${errorOf(call)}`,
    rationale: 'Without the address of the host, no request reaches it.',
  }),
  lost_connection: (call) => ({
    fixType: 'retry_policy',
    title: `Retry ${call.failure.name} after a lost connection`,
    action: `Find in the log of ${serviceOf(call)} why the connection ended: ${errorOf(call)}`,
    rationale: 'The connection existed and ended before the result arrived.',
    retryOn: 'retry on connection errors',
  }),
  overloaded: (call) => ({
    fixType: 'retry_policy',
    title: `Retry ${call.failure.name} with growing pauses`,
    action: `Call ${serviceOf(call)} less often while it reports ${errorOf(call)}`,
    rationale: 'The service had more requests than it can process.',
    retryOn: 'retry on 529 and 503',
  }),
  gateway: (call) => ({
    fixType: 'retry_policy',
    title: `Check the service behind the gateway of ${call.failure.name}`,
    action: `Check that the service behind the gateway is up and answers: ${errorOf(call)}`,
    rationale: 'The gateway got no valid answer.',
    retryOn: 'retry on 502',
  }),
  server_error: (call) => ({
    fixType: 'retry_policy',
    title: `Find the error of the service ${ofOrCalledBy(call.failure)}`,
    action: `Find the error in the log of ${serviceOf(call)} at the time of step ${call.failure.step}: ${errorOf(call)}`,
    rationale: 'The service received the request and stopped with an error of its own.',
    retryOn: 'retry on 5xx',
  }),
  no_connection_in_time: (call) => ({
    fixType: 'config_change',
    title: `Check the address that ${call.failure.name} calls`,
    action: `Check that ${addressIn(call.failure) ?? serviceOf(call)} is up, and that no firewall stops ${call.failure.name} from reaching it: ${errorOf(call)}`,
    rationale: 'No connection was established: more time for the work of the call changes nothing.',
  }),
  gateway_timeout: (call) => ({
    fixType: 'config_change',
    title: `Keep the service behind ${call.failure.name} within the limit of its gateway`,
    action: `Find out why the service behind the gateway took longer than the gateway waits, and shorten its work or raise that limit: ${errorOf(call)}`,
    rationale: 'The time limit belongs to the gateway, not to the caller.',
  }),
  system_permission: (call) => ({
    fixType: 'credential_change',
    title: `Give ${call.failure.name} the access that it needs`,
    action: `Give the account that runs ${call.failure.name} the permission for what ${errorOf(call)} names, or have the call use something that this account may access`,
    rationale: 'The operating system refuses the same access again.',
  }),
  missing_credential: (call) => ({
    fixType: 'credential_change',
    title: `Set the credential of ${call.failure.name}`,
    action: `Set the credential that ${call.failure.name} needs where it runs: ${errorOf(call)}`,
    rationale: 'No credential was sent or found.',
    change: 'Set the credential in this environment, and fail at start-up without it.',
  }),
  missing_package: (call) => ({
    fixType: 'config_change',
    title: `Install what ${call.failure.name} needs`,
    action: `Install what ${errorOf(call)} names where ${call.failure.name} runs, or correct the name`,
    rationale: 'The program or package is not installed in this environment.',
  }),
  missing_table: (call) => ({
    fixType: 'tool_change',
    title: `Correct the query of ${call.failure.name} or the schema of its database`,
    action: `Compare the query of ${call.failure.name} with the schema of its database, and correct the name or run the missing migration: ${errorOf(call)}`,
    rationale: 'The database has no table or column of this name.',
  }),
  missing_method: (call) => ({
    fixType: 'tool_change',
    title: `Call a method that the server of ${call.failure.name} offers`,
    action: `Check that the server of ${call.failure.name} offers the method that the client calls, and that the versions of both fit: ${errorOf(call)}`,
    rationale: 'The server does not know the method.',
  }),
  request_form: (call) => ({
    fixType: 'tool_change',
    title: `Correct the HTTP request of ${call.failure.name}`,
    action: `Correct the HTTP method, headers or address of the request that ${call.failure.name} sends: ${errorOf(call)}`,
    rationale: 'The service does not accept this kind of request, whatever its arguments are.',
  }),
  bad_request: (call) => ({
    fixType: 'tool_change',
    title: `Find the fault in the request of ${call.failure.name}`,
    action: `Compare the request that ${call.failure.name} sent at step ${call.failure.step} with what the service accepts: ${errorOf(call)} does not name the fault. Return the body of the answer to the caller, too`,
    rationale: 'The body of the answer usually names what was wrong.',
  }),
  lock: (call) => ({
    fixType: 'retry_policy',
    title: `Retry ${call.failure.name} when its data are locked`,
    action: `Find what holds the lock or changes the same data at the time of step ${call.failure.step}, and keep transactions short: ${errorOf(call)}`,
    rationale: 'The lock ends when the other process or transaction does.',
    retryOn: 'retry on locks and conflicts of transactions',
  }),
  conflict: (call) => ({
    fixType: 'workflow_change',
    title: `Read the current state before ${call.failure.name} writes`,
    action: `Have ${call.failure.agent ?? call.failure.name} read the current state before the next call of ${call.failure.name}, and decide from it: ${errorOf(call)}`,
    rationale: 'The request does not fit the current state of the data.',
  }),
  killed: (call) => ({
    fixType: 'config_change',
    title: `Find out what killed ${call.failure.name}`,
    action: `Find out in the log of the system what killed the process of step ${call.failure.step}, such as a limit of memory or time: the error is ${errorOf(call)}`,
    rationale: 'A killed process cannot report the cause itself.',
  }),
  cancelled: (call) =>
    NAMES_USER.test(call.failure.text.message)
      ? {
          fixType: 'workflow_change',
          title: 'Let a stopped run keep what it had done',
          action: `Nothing has to be corrected if the user meant to stop step ${call.failure.step}: the error is ${errorOf(call)}`,
          rationale: 'The error says that a user stopped the call.',
        }
      : {
          fixType: 'config_change',
          title: `Find out what cancelled ${call.failure.name}`,
          action: `Find out what cancelled step ${call.failure.step}, such as the caller, a time limit or a user: the error is ${errorOf(call)}`,
          rationale: 'The error does not say who cancelled the call.',
        },
  content_filter: (call) => ({
    fixType: 'prompt_change',
    title: `Change what ${call.failure.name} sends, or the settings of the filter`,
    action: `Read what step ${call.failure.step} sent, and change what the filter refuses or the settings of the filter: ${errorOf(call)}`,
    rationale: 'The filter refuses the same content again.',
  }),
  read_only: (call) => ({
    fixType: 'config_change',
    title: `Let ${call.failure.name} write to a place that accepts writes`,
    action: `Have ${call.failure.name} write to a place or server that accepts writes: ${errorOf(call)}`,
    rationale: 'This one accepts reads only.',
  }),
  configuration: (call) => ({
    fixType: 'config_change',
    title: `Correct the configuration of ${call.failure.name}`,
    action: `Correct the configuration of ${call.failure.name}: ${errorOf(call)}`,
    rationale: 'The failure does not depend on the call.',
  }),
};

const NAMES_USER =
  /\buser\b|manually|KeyboardInterrupt|Benutzer|Nutzer|Anwender|utilisat|usuario|usuário|utilizador|użytkownik|пользовател|用户|ユーザー/iu;
