import { decodeJwt } from 'jose';
import { AppError } from '../core/app-error.ts';
import { parseJson } from '../core/json.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';
import { createTokenOperation } from '../features/identity/token.operations.ts';
import type { Backend } from './backend.ts';
import type { KnownTenants } from './known-tenants.ts';
import { toAppError } from './problem.ts';
import { toRequest } from './to-request.ts';

export interface RemoteOptions {
  /** Without a trailing slash and without `/api/v1`. */
  server: string;
  apiKey: string | null;
  operatorToken: string | null;
  tenant: string | null;
  knownTenants: KnownTenants;
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;

export function openRemoteBackend(options: RemoteOptions): Backend {
  async function call(operation: AnyOperation, input: Record<string, unknown>): Promise<unknown> {
    const { method, path, body } = toRequest(operation, input);
    const headers = {
      accept: 'application/json',
      ...credentialFor(operation, options),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const response = await send(`${options.server}${path}`, { method, headers, body }, options);
    const text = await response.text();
    if (!response.ok) throw toAppError(response.status, parseJson(text), response.headers.get('retry-after'));
    if (operation.status === 204) return null;
    return checkedAnswer(operation, text, options.server);
  }

  async function tenantOfKey(): Promise<string> {
    const { apiKey, server, knownTenants } = options;
    if (apiKey === null) throw new AppError('unauthenticated', 'Which tenant? Give --api-key, or --tenant with an operator credential.');
    const known = knownTenants.find(server, apiKey);
    if (known !== null) return known;
    const answer = (await call(createTokenOperation, { api_key: apiKey })) as { access_token: string };
    const { sub } = decodeJwt(answer.access_token);
    if (sub === undefined) throw new AppError('unreachable', `${server} gave a token that names no tenant.`);
    knownTenants.remember(server, apiKey, sub);
    return sub;
  }

  return {
    call: call as Backend['call'],
    tenantId: async () => options.tenant ?? tenantOfKey(),
    close: async () => {},
  };
}

/** What is for the operator goes out with the operator's credential where there is one, all else with the key. */
function credentialFor({ access }: AnyOperation, { apiKey, operatorToken }: RemoteOptions): Record<string, string> {
  if (access.kind === 'public') return {};
  const prefersOperator = access.kind !== 'tenant' || apiKey === null;
  if (prefersOperator && operatorToken !== null) return { authorization: `Bearer ${operatorToken}` };
  return apiKey === null || access.kind === 'registration' ? {} : { 'x-svc-api-key': apiKey };
}

async function send(url: string, init: RequestInit, { server, timeoutMs }: RemoteOptions): Promise<Response> {
  try {
    return await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs ?? TIMEOUT_MS) });
  } catch (error) {
    throw new AppError('unreachable', `${server} cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

function checkedAnswer(operation: AnyOperation, text: string, server: string): unknown {
  const parsed = operation.output.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw new AppError('unreachable', `${server} does not answer as this version of Misstep does (${operation.id}).`, {
    cause: parsed.error,
  });
}
