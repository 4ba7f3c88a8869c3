import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'secret-key';
const KEY_BYTES = 32;

/** The secret under which credentials of other platforms are sealed; made at its first use, readable by its owner alone. */
export function readOrCreateSecretKey(dataFolder: string): string {
  const existing = readKey(dataFolder);
  if (existing !== null) return existing;
  const key = randomBytes(KEY_BYTES).toString('base64url');
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(dataFolder, FILE), `${key}\n`, { mode: 0o600, flag: 'wx' });
    return key;
  } catch (error) {
    // Another process of this folder was faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readKey(dataFolder) ?? key;
    throw error;
  }
}

/** Null where there is no such file. What is there and cannot be read is a fault: a new key would lose what is sealed. */
function readKey(dataFolder: string): string | null {
  try {
    return readFileSync(join(dataFolder, FILE), 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}
