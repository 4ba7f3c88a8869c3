import { openAsBlob } from 'node:fs';
import { decodeJwt } from 'jose';
import { z } from 'zod';
import { AppError } from '../core/app-error.ts';
import { parseJson } from '../core/json.ts';
import { WebAddress } from '../core/web-address.ts';
import type { AnyOperation, InputOf, OutputOf } from '../features/_kit/operation.ts';
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
  return new RemoteBackend(options);
}

class RemoteBackend implements Backend {
  readonly #options: RemoteOptions;
  readonly #credentials: Credentials;
  #pages: Promise<WebAddress> | null = null;

  constructor(options: RemoteOptions) {
    const { server, apiKey, operator } = options;
    this.#options = options;
    this.#credentials = new Credentials({ server, apiKey, operator, tenantOfKey: () => this.#tenantOfKey() });
  }

  async call<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<OutputOf<Op>> {
    const fields = input as Record<string, unknown>;
    const { method, path, body } = toRequest(operation, fields);
    const addressed = await this.#credentials.for(operation.access, fields.tenant_id);
    const headers = {
      accept: 'application/json',
      ...addressed.headers,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    };
    const text = await answerTo(`${addressed.server}${path}`, { method, headers, body }, this.#options);
    const result = operation.status === 204 ? null : checkedResponse(operation, text, this.#options.server);
    return result as OutputOf<Op>;
  }

  async tenantId(): Promise<string> {
    return this.#options.tenant ?? this.#tenantOfKey();
  }

  async ingestOtlp(body: string): Promise<{ acceptedSpans: number; rejectedSpans: number }> {
    const id = await this.tenantId();
    const { server, headers } = await this.#credentials.for({ kind: 'tenant', scope: 'ingest' }, id);
    const url = `${server}/api/v1/tenants/${encodeURIComponent(id)}/traces/ingest`;
    const init = { method: 'POST', headers: { ...headers, 'content-type': 'application/json' }, body };
    const reply = ingestReply.safeParse(parseJson(await answerTo(url, init, this.#options)));
    if (!reply.success) throw unexpectedResponse(this.#options.server, 'traces.ingest', reply.error);
    return { acceptedSpans: reply.data.accepted_spans, rejectedSpans: reply.data.rejected_spans };
  }

  async addImport(path: string, request: ImportRequest): Promise<{ job: ImportRecord; isKnown: boolean }> {
    const { contentHash } = await describeFile(path);
    const { items } = await this.call(listImportsOperation, { sha256: contentHash, page_size: 20 });
    const known = items.find(({ status }) => status !== 'failed' && status !== 'cancelled');
    return known ? { job: known, isKnown: true } : { job: await this.#upload(path, request), isKnown: false };
  }

  /** Compression and format are detected from the content. */
  async #upload(path: string, { fileName, format, isAlerting }: ImportRequest): Promise<ImportRecord> {
    const query = new URLSearchParams({
      file_name: fileName,
      alert: String(isAlerting),
      ...(format ? { format } : {}),
    });
    const { server, headers } = await this.#credentials.for(
      { kind: 'tenant', scope: 'write' },
      await this.#tenantOfKey(),
    );
    const init = {
      method: 'POST',
      headers: { ...headers, 'content-type': 'application/x-ndjson' },
      body: await openAsBlob(path),
    };
    const options = { ...this.#options, timeoutMs: UPLOAD_TIMEOUT_MS };
    const job = importRecord.safeParse(
      parseJson(await answerTo(`${server}/api/v1/import-jobs?${query}`, init, options)),
    );
    if (!job.success) throw unexpectedResponse(this.#options.server, 'import-jobs.create', job.error);
    return job.data;
  }

  async exportLines(): Promise<AsyncIterable<Uint8Array>> {
    const id = await this.tenantId();
    const { server, headers } = await this.#credentials.for({ kind: 'tenant', scope: 'read' }, id);
    const url = `${server}/api/v1/tenants/${encodeURIComponent(id)}/export`;
    const response = await fetch(url, { headers, redirect: 'error' }).catch((error: unknown) => {
      const message = `${this.#options.server} cannot be reached: ${reasonOf(error)}`;
      throw new AppError('unreachable', message, { cause: error });
    });
    if (response.ok && response.body !== null) return response.body;
    throw toAppError(response.status, parseJson(await response.text()), response.headers.get('retry-after'));
  }

  pages(): Promise<WebAddress> {
    this.#pages ??= this.#readPages();
    return this.#pages;
  }

  // The server does this work in the background.
  async workOnImport(): Promise<void> {}
  async workOnAnalyses(): Promise<void> {}
  async workOnDeletions(): Promise<void> {}
  async workOnSyncs(): Promise<void> {}
  async close(): Promise<void> {}

  async #tenantOfKey(): Promise<string> {
    const { apiKey, server, knownTenants } = this.#options;
    if (apiKey === null)
      throw new AppError('unauthenticated', 'Which tenant? Give --api-key, or --tenant with an operator credential.');
    const known = knownTenants.find(server, apiKey);
    if (known !== null) return known;
    const { access_token: token } = await this.call(createTokenOperation, { api_key: apiKey });
    const { sub } = decodeJwt(token);
    if (sub === undefined) throw new AppError('unreachable', `${server} returned a token without a tenant.`);
    knownTenants.remember(server, apiKey, sub);
    return sub;
  }

  /** If this request is rejected, a list is still returned: the dashboard is then assumed at the address of the API. */
  async #readPages(): Promise<WebAddress> {
    const { server, headers } = await this.#credentials.for({ kind: 'tenant', scope: 'read' }, await this.tenantId());
    const text = await answerTo(`${server}/api/v1/auth/session`, { headers }, this.#options).catch(() => '');
    const answer = webAddressReply.safeParse(parseJson(text));
    return new WebAddress(answer.success ? answer.data.web_address : this.#options.server);
  }
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
