import { openAsBlob } from 'node:fs';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { AppError } from '../core/app-error.ts';
import { parseJson } from '../core/json.ts';
import { WebAddress } from '../core/web-address.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';
import { createTokenOperation } from '../features/identity/token.operations.ts';
import { listImportsOperation } from '../features/imports/import.operations.ts';
import { type ImportRecord, importRecord } from '../features/imports/import.record.ts';
import { describeFile } from '../features/imports/import-folder.ts';
import type { ImportRequest } from '../features/imports/new-import-job.ts';
import type { Backend } from './backend.ts';
import { Credentials } from './credentials.ts';
import type { OperatorCredential } from './folder-credential.ts';
import type { KeyTenantCache } from './key-tenant-cache.ts';
import { toAppError } from './problem.ts';
import { toRequest } from './to-request.ts';

export interface RemoteOptions {
  /** Without a trailing slash and without `/api/v1`. */
  server: string;
  apiKey: string | null;
  /** Null if there is no operator credential for this server. */
  operator: (() => Promise<OperatorCredential | null>) | null;
  tenant: string | null;
  knownTenants: KeyTenantCache;
  timeoutMs?: number;
}

const TIMEOUT_MS = 30_000;
const UPLOAD_TIMEOUT_MS = 30 * 60_000;

const webAddressReply = z.object({ web_address: z.string() });
const ingestReply = z.object({ accepted_spans: z.number(), rejected_spans: z.number() });

export function openRemoteBackend(options: RemoteOptions): Backend {
  const { apiKey, operator } = options;
  const credentials = new Credentials({ server: options.server, apiKey, operator, tenantOfKey });

  async function call(operation: AnyOperation, input: Record<string, unknown>): Promise<unknown> {
    const { method, path, body } = toRequest(operation, input);
    const addressed = await credentials.for(operation.access, input.tenant_id);
    const headers = {
      accept: 'application/json',
      ...addressed.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const text = await answerTo(`${addressed.server}${path}`, { method, headers, body }, options);
    if (operation.status === 204) return null;
    return checkedResponse(operation, text, options.server);
  }

  async function tenantOfKey(): Promise<string> {
    const { apiKey, server, knownTenants } = options;
    if (apiKey === null)
      throw new AppError('unauthenticated', 'Which tenant? Give --api-key, or --tenant with an operator credential.');
    const known = knownTenants.find(server, apiKey);
    if (known !== null) return known;
    const answer = (await call(createTokenOperation, { api_key: apiKey })) as { access_token: string };
    const { sub } = decodeJwt(answer.access_token);
    if (sub === undefined) throw new AppError('unreachable', `${server} returned a token without a tenant.`);
    knownTenants.remember(server, apiKey, sub);
    return sub;
  }

  const tenantId = async () => options.tenant ?? tenantOfKey();

  async function ingestOtlp(body: string): Promise<{ acceptedSpans: number; rejectedSpans: number }> {
    const path = `/api/v1/tenants/${encodeURIComponent(await tenantId())}/traces/ingest`;
    const addressed = await credentials.for({ kind: 'tenant', scope: 'ingest' }, await tenantId());
    const headers = { ...addressed.headers, 'content-type': 'application/json' };
    const text = await answerTo(`${addressed.server}${path}`, { method: 'POST', headers, body }, options);
    const reply = ingestReply.safeParse(parseJson(text));
    if (!reply.success) throw unexpectedResponse(options.server, 'traces.ingest', reply.error);
    return { acceptedSpans: reply.data.accepted_spans, rejectedSpans: reply.data.rejected_spans };
  }

  async function addImport(path: string, request: ImportRequest): Promise<{ job: ImportRecord; isKnown: boolean }> {
    const backend = { call: call as Backend['call'] };
    const { contentHash } = await describeFile(path);
    const { items } = await backend.call(listImportsOperation, { sha256: contentHash, page_size: 20 });
    const known = items.find(({ status }) => status !== 'failed' && status !== 'cancelled');
    if (known) return { job: known, isKnown: true };
    const { fileName, format, isAlerting } = request;
    const query = new URLSearchParams({
      file_name: fileName,
      alert: String(isAlerting),
      ...(format ? { format } : {}),
    });
    // Compression and format are detected from the content.
    const addressed = await credentials.for({ kind: 'tenant', scope: 'write' }, await tenantOfKey());
    const headers = { ...addressed.headers, 'content-type': 'application/x-ndjson' };
    const init = { method: 'POST', headers, body: await openAsBlob(path) };
    const url = `${addressed.server}/api/v1/import-jobs?${query}`;
    const job = importRecord.safeParse(
      parseJson(await answerTo(url, init, { ...options, timeoutMs: UPLOAD_TIMEOUT_MS })),
    );
    if (!job.success) throw unexpectedResponse(options.server, 'import-jobs.create', job.error);
    return { job: job.data, isKnown: false };
  }

  async function exportLines(): Promise<AsyncIterable<Uint8Array>> {
    const id = await tenantId();
    const { server, headers } = await credentials.for({ kind: 'tenant', scope: 'read' }, id);
    const url = `${server}/api/v1/tenants/${encodeURIComponent(id)}/export`;
    const response = await fetch(url, { headers, redirect: 'error' }).catch((error: unknown) => {
      throw new AppError('unreachable', `${options.server} cannot be reached: ${reasonOf(error)}`, { cause: error });
    });
    if (response.ok && response.body !== null) return response.body;
    throw toAppError(response.status, parseJson(await response.text()), response.headers.get('retry-after'));
  }

  let pages: Promise<WebAddress> | null = null;

  /** If this request is rejected, a list is still returned: the dashboard is then assumed at the address of the API. */
  async function readPages(): Promise<WebAddress> {
    const { server, headers } = await credentials.for({ kind: 'tenant', scope: 'read' }, await tenantId());
    const text = await answerTo(`${server}/api/v1/auth/session`, { headers }, options).catch(() => '');
    const answer = webAddressReply.safeParse(parseJson(text));
    return new WebAddress(answer.success ? answer.data.web_address : options.server);
  }

  return {
    call: call as Backend['call'],
    addImport,
    exportLines,
    workOnAnalyses: async () => {},
    workOnDeletions: async () => {},
    workOnSyncs: async () => {},
    workOnImport: async () => {},
    tenantId,
    ingestOtlp,
    pages: () => (pages ??= readPages()),
    close: async () => {},
  };
}

/** @throws AppError the server's error, or `unreachable` */
async function answerTo(url: string, init: RequestInit, { server, timeoutMs }: RemoteOptions): Promise<string> {
  const { response, text } = await send(url, init, server, timeoutMs ?? TIMEOUT_MS);
  if (response.ok) return text;
  throw toAppError(response.status, parseJson(text), response.headers.get('retry-after'));
}

async function send(
  url: string,
  init: RequestInit,
  server: string,
  timeoutMs: number,
): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, { ...init, redirect: 'error', signal: AbortSignal.timeout(timeoutMs) });
    return { response, text: await response.text() };
  } catch (error) {
    throw new AppError('unreachable', `${server} cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

function reasonOf(error: unknown): string {
  const { message, cause } = error as Error;
  return cause instanceof Error && cause.message !== '' ? cause.message : message;
}

function checkedResponse(operation: AnyOperation, text: string, server: string): unknown {
  const parsed = operation.output.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  throw unexpectedResponse(server, operation.id, parsed.error);
}

function unexpectedResponse(server: string, what: string, cause: unknown): AppError {
  return new AppError('unreachable', `${server} did not answer as expected from this version of Misstep (${what}).`, {
    cause,
  });
}
