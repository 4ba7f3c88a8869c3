import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { type AppConfig, DEFAULT_CONFIG } from '../../src/app/config.ts';
import { planOwnMemory } from '../../src/app/memory-plan.ts';
import { startServer } from '../../src/cli/serve/start-server.ts';
import { localTenantId } from '../../src/client/local-tenant.ts';
import type { Clock } from '../../src/core/clock.ts';
import { SCOPES } from '../../src/features/_kit/caller.ts';
import { DEFAULT_HTTP_CONFIG } from '../../src/http/http-config.ts';

/** The environment of a scenario: a new local store, or a new server on a real socket. */
export interface World {
  env: Record<string, string>;
  dataFolder: string;
  close(): Promise<void>;
}

export function localWorld(): World {
  const dataFolder = newFolder();
  return { dataFolder, env: { MISSTEP_DATA: dataFolder }, close: async () => removeFolder(dataFolder) };
}

export const OPERATOR_TOKEN = 'operator-of-the-scenarios';

export async function remoteWorld(clock: Clock, config: Partial<AppConfig> = {}): Promise<World> {
  const [serverFolder, dataFolder] = [newFolder(), newFolder()];
  const server = await startServer(
    {
      app: { ...DEFAULT_CONFIG, ...config, dataFolder: serverFolder },
      http: { ...DEFAULT_HTTP_CONFIG, port: 0, rateLimits: null, operatorToken: OPERATOR_TOKEN, validatesOutput: true },
      memory: planOwnMemory(),
    },
    { clock, logger: pino({ level: 'silent' }) },
  );
  const { tenants, apiKeys } = server.app.services;
  const tenantId = await localTenantId(tenants, null);
  const key = await apiKeys.create(tenantId, { name: 'scenario', scopes: [...SCOPES], expiresAt: null });
  return {
    dataFolder,
    env: {
      MISSTEP_DATA: dataFolder,
      MISSTEP_SERVER: server.url,
      MISSTEP_API_KEY: key.api_key,
      MISSTEP_OPERATOR_TOKEN: OPERATOR_TOKEN,
    },
    async close() {
      await server.close();
      removeFolder(serverFolder);
      removeFolder(dataFolder);
    },
  };
}

/** Replaces ids, keys and times, which differ between runs, by placeholders. */
export function withoutRandomness(text: string): string {
  return text
    .replace(/2026-05-04T1\d:\d\d:\d\d\.\d{3}Z/g, '<moment of the demo>    '.slice(0, 24))
    .replace(/mst_[0-9a-z]{26}_\w+/g, '<api key>')
    .replace(/http:\/\/127\.0\.0\.1:\d+\/ui/g, '<dashboard>')
    .replace(/#t=[0-9A-Za-z]{43}/g, '#t=<token>')
    .replace(/No server runs on this data folder: .*\n/, '')
    .replace(/\b([a-z]{2,4}_)[0-9a-hjkmnp-tv-z]{26}/g, (_match, prefix: string) =>
      prefix.padEnd(prefix.length + 26, 'x'),
    );
}

function newFolder(): string {
  return mkdtempSync(join(tmpdir(), 'misstep-'));
}

function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
