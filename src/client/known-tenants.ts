import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isJsonObject, parseJson } from '../core/json.ts';
import { makeFolder } from '../store/data-folder/make-folder.ts';

/** Which tenant a key is of, so that a script does not trade its key for a token at every call. */
export interface KnownTenants {
  find(server: string, apiKey: string): string | null;
  remember(server: string, apiKey: string, tenantId: string): void;
}

const FILE = 'known-tenants.json';

/** Kept in the data folder under a hash: the file holds no key. */
export function createKnownTenants(dataFolder: string): KnownTenants {
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
        // A folder that cannot be written costs a request the next time, nothing more.
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
