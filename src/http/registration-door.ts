import type { IncomingHttpHeaders } from 'node:http';
import type { Door } from './authorize.ts';
import type { HttpConfig } from './http-config.ts';
import { isLoopbackName } from './loopback.ts';

const FORWARDING_HEADERS = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-forwarded-port',
  'x-forwarded-server',
  'x-original-forwarded-for',
  'x-real-ip',
  'x-client-ip',
  'true-client-ip',
  'cf-connecting-ip',
];

/** Registration is open to this machine: on a loopback listener, for requests that no proxy or tunnel brought. */
export function doorOf(config: Pick<HttpConfig, 'host' | 'isRegistrationOpen'>, headers: IncomingHttpHeaders): Door {
  const isLocal = isLoopbackName(config.host) && FORWARDING_HEADERS.every((name) => headers[name] === undefined);
  return { isRegistrationOpen: config.isRegistrationOpen || isLocal };
}
