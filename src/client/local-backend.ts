import { homedir } from 'node:os';
import type { App } from '../app/open-app.ts';
import { JsonText } from '../core/json-text.ts';
import type { WebAddress } from '../core/web-address.ts';
import type { Caller } from '../features/_kit/caller.ts';
import { SCOPES } from '../features/_kit/caller.ts';
import type { AnyOperation, InputOf, OutputOf } from '../features/_kit/operation.ts';
import { runOperation } from '../features/audit/run-operation.ts';
import type { ImportRecord } from '../features/imports/import.record.ts';
import type { ImportRequest } from '../features/imports/new-import-job.ts';
import { drainIntoStore, type StoreDrainReport } from '../features/spool/drain-into-store.ts';
import { spoolFolderOf } from '../features/spool/spool-name.ts';
import { claudeFolder, readTranscriptFile } from '../features/spool/transcript-file.ts';
import type { Backend } from './backend.ts';
import { localTenantId } from './local-tenant.ts';
import { parseInput } from './parse-input.ts';
import { readOnlyTenantId } from './read-only-tenant.ts';

export interface LocalOptions {
  open(): Promise<App>;
  dataFolder: string;
  /** Id or name; null for the default tenant. */
  tenant: string | null;
  now(): number;
  /** For a read-only command: creates neither a store nor a tenant. Null for other commands. */
  reading: {
    /** Whether there is a database, or hook records waiting for one. */
    hasStore(): boolean;
    /** A temporary empty store, which is removed when it is closed. */
    openEmpty(): Promise<App>;
  } | null;
  onDrained(report: StoreDrainReport): void;
}

/** Anyone who can read the data folder has full access to it. */
const OPERATOR: Caller = { tenantId: null, keyId: null, scopes: SCOPES, isOperator: true };

/** Opens the store at the first call, drains hook records, and analyzes queued traces. */
export function openLocalBackend(options: LocalOptions): Backend {
  return new LocalBackend(options);
}

class LocalBackend implements Backend {
  readonly #options: LocalOptions;
  #app: Promise<App> | null = null;
  #tenantId: Promise<string> | null = null;

  constructor(options: LocalOptions) {
    this.#options = options;
  }

  async call<Op extends AnyOperation>(operation: Op, input: InputOf<Op>): Promise<OutputOf<Op>> {
    const parsed = parseInput(operation, input);
    const { services } = await this.#open();
    const asker = { caller: await this.#callerOf(operation), requestId: null };
    const result = await runOperation(services, operation, parsed as object, asker);
    return operation.output.parse(result instanceof JsonText ? await result.value() : result) as OutputOf<Op>;
  }

  tenantId(): Promise<string> {
    this.#tenantId ??= this.#resolveTenant();
    return this.#tenantId;
  }

  async ingestOtlp(body: string): Promise<{ acceptedSpans: number; rejectedSpans: number }> {
    const { services } = await this.#open();
    return services.ingest.ingest(await this.tenantId(), { encoding: 'json', body: Buffer.from(body) });
  }

  async addImport(path: string, request: ImportRequest): Promise<{ job: ImportRecord; isKnown: boolean }> {
    const { services } = await this.#open();
    return services.imports.addLocal(await this.tenantId(), path, request);
  }

  async workOnImport(importJobId: string, signal: AbortSignal): Promise<void> {
    const { imports } = (await this.#open()).services;
    const work = async () => imports.runNow(await this.tenantId(), importJobId);
    await closedOnAbort(signal, imports, work);
  }

  async workOnAnalyses(): Promise<void> {
    const { services } = await this.#open();
    await services.analysis.runAllNow(await this.tenantId());
    await services.failureRanks.runAllNow(await this.tenantId());
  }

  async workOnDeletions(): Promise<void> {
    const { services } = await this.#open();
    await services.deletion.runDue(100);
  }

  async workOnSyncs(signal: AbortSignal): Promise<void> {
    const { platforms } = (await this.#open()).services;
    await closedOnAbort(signal, platforms, async () => {
      for (const sync of platforms.syncs) await sync.runDue(100);
    });
  }

  async exportLines(): Promise<AsyncIterable<string | Uint8Array>> {
    const { services } = await this.#open();
    return services.exports.lines(await this.tenantId());
  }

  async pages(): Promise<WebAddress> {
    return (await this.#open()).services.webAddress;
  }

  async close(): Promise<void> {
    await (await this.#app?.catch(() => null))?.close();
  }

  #open(): Promise<App> {
    const { reading } = this.#options;
    this.#app ??= reading ? openForReading(this.#options, reading) : openAndDrain(this.#options);
    return this.#app;
  }

  async #resolveTenant(): Promise<string> {
    const { services } = await this.#open();
    const find = this.#options.reading ? readOnlyTenantId : localTenantId;
    const id = await find(services.tenants, this.#options.tenant);
    await services.analysis.runAllNow(id);
    await services.failureRanks.runAllNow(id);
    await services.calibration.runDue(1);
    return id;
  }

  async #callerOf({ isOfCallersTenant }: AnyOperation): Promise<Caller> {
    return isOfCallersTenant ? { ...OPERATOR, tenantId: await this.tenantId() } : OPERATOR;
  }
}

/** Does work of a service, and closes the service if the signal aborts: it then releases what it works on. */
async function closedOnAbort(
  signal: AbortSignal,
  service: { close(): unknown },
  work: () => Promise<unknown>,
): Promise<void> {
  if (signal.aborted) {
    await service.close();
    return;
  }
  const close = () => void service.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    await work();
  } finally {
    signal.removeEventListener('abort', close);
  }
}

/** An empty store replaces one that is missing or has no tenant. */
async function openForReading(options: LocalOptions, reading: NonNullable<LocalOptions['reading']>): Promise<App> {
  if (reading.hasStore()) {
    const app = await openAndDrain(options);
    const isEmpty = (await app.services.tenants.list({ page: 1, pageSize: 1, cursor: null })).total === 0;
    if (!isEmpty) return app;
    await app.close();
  }
  return reading.openEmpty();
}

async function openAndDrain({ open, dataFolder, now, onDrained }: LocalOptions): Promise<App> {
  const app = await open();
  const { services } = app;
  const tenantIdOf = (named: string | null) => localTenantId(services.tenants, named);
  const readTranscript = (path: string) => readTranscriptFile(path, claudeFolder(homedir(), process.env));
  onDrained(
    await drainIntoStore(spoolFolderOf(dataFolder), { ingest: services.ingest, tenantIdOf, now, readTranscript }),
  );
  return app;
}
