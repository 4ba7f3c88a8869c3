import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../core/json.ts';
import { makeFolder } from '../store/data-folder/make-folder.ts';

/** Caches the tenant of each key, so that a script does not exchange its key for a token at every call. */
export interface KeyTenantCache {
  find(server: string, apiKey: string): string | null;
  remember(server: string, apiKey: string, tenantId: string): void;
}

const FILE = 'known-tenants.json';

/** Stored in the data folder by the key's hash: the file holds no key. */
export function createKeyTenantCache(dataFolder: string): KeyTenantCache {
  const file = join(dataFolder, FILE);
  return {
    find(server, apiKey) {
      const tenant = readAll(file)[nameOf(server, apiKey)];
      return typeof tenant === 'string' ? tenant : null;
    },
    remember(server, apiKey, tenantId) {
      try {
        makeFolder(dataFolder);
        const all = { ...readAll(file), [nameOf(server, apiKey)]: tenantId };
        writeFileSync(file, JSON.stringify(all), { mode: 0o600 });
      } catch {
        // If the folder cannot be written, the next command needs one more request.
      }
    },
  };
}

function readAll(file: string): Record<string, unknown> {
  try {
    const value = parseJson(readFileSync(file, 'utf8'));
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}

function nameOf(server: string, apiKey: string): string {
  return createHash('sha256').update(`${server}\n${apiKey}`).digest('hex');
}
