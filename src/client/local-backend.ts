import { homedir } from 'node:os';
import type { App } from '../app/open-app.ts';
import { JsonText } from '../core/json-text.ts';
import type { Caller } from '../features/_kit/caller.ts';
import { SCOPES } from '../features/_kit/caller.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';
import { runOperation } from '../features/audit/run-operation.ts';
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
  let opened: Promise<App> | null = null;
  let tenant: Promise<string> | null = null;

  const app = () => (opened ??= options.reading ? openForReading(options, options.reading) : openAndDrain(options));
  const tenantId = () => (tenant ??= resolveTenant());

  async function resolveTenant(): Promise<string> {
    const { services } = await app();
    const find = options.reading ? readOnlyTenantId : localTenantId;
    const id = await find(services.tenants, options.tenant);
    await services.analysis.runAllNow(id);
    await services.failureRanks.runAllNow(id);
    await services.calibration.runDue(1);
    return id;
  }

  async function call(operation: AnyOperation, input: unknown): Promise<unknown> {
    const parsed = parseInput(operation, input);
    const { services } = await app();
    const asker = { caller: await callerOf(operation), requestId: null };
    const result = await runOperation(services, operation, parsed as object, asker);
    return operation.output.parse(result instanceof JsonText ? await result.value() : result);
  }

  async function callerOf({ isOfCallersTenant }: AnyOperation): Promise<Caller> {
    return isOfCallersTenant ? { ...OPERATOR, tenantId: await tenantId() } : OPERATOR;
  }

  return {
    call: call as Backend['call'],
    tenantId,
    async ingestOtlp(body) {
      const { services } = await app();
      return services.ingest.ingest(await tenantId(), { encoding: 'json', body: Buffer.from(body) });
    },
    async addImport(path, request) {
      const { services } = await app();
      return services.imports.addLocal(await tenantId(), path, request);
    },
    async workOnImport(importJobId, signal) {
      const { services } = await app();
      const letGo = () => services.imports.close();
      if (signal.aborted) return letGo();
      signal.addEventListener('abort', letGo, { once: true });
      try {
        await services.imports.runNow(await tenantId(), importJobId);
      } finally {
        signal.removeEventListener('abort', letGo);
      }
    },
    async workOnAnalyses() {
      const { services } = await app();
      await services.analysis.runAllNow(await tenantId());
      await services.failureRanks.runAllNow(await tenantId());
    },
    async workOnDeletions() {
      const { services } = await app();
      await services.deletion.runDue(100);
    },
    async workOnSyncs(signal) {
      const { services } = await app();
      const letGo = () => services.platforms.close();
      if (signal.aborted) return letGo();
      signal.addEventListener('abort', letGo, { once: true });
      try {
        for (const sync of services.platforms.syncs) await sync.runDue(100);
      } finally {
        signal.removeEventListener('abort', letGo);
      }
    },
    async exportLines() {
      const { services } = await app();
      return services.exports.lines(await tenantId());
    },
    pages: async () => (await app()).services.webAddress,
    async close() {
      await (await opened?.catch(() => null))?.close();
    },
  };
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
