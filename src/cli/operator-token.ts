import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const FILE = 'operator-token';

/** The credential that `serve` left in the data folder; null where there is none. */
export function readOperatorToken(dataFolder: string): string | null {
  try {
    return readFileSync(join(dataFolder, FILE), 'utf8').trim() || null;
  } catch {
    return null;
  }
}

/** Makes one on the first run, readable by its owner alone. */
export function readOrCreateOperatorToken(dataFolder: string): string {
  const existing = readOperatorToken(dataFolder);
  if (existing !== null) return existing;
  const token = `op_${randomBytes(32).toString('base64url')}`;
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  try {
    writeFileSync(join(dataFolder, FILE), `${token}\n`, { mode: 0o600, flag: 'wx' });
    return token;
  } catch (error) {
    // Another server of this folder was faster.
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return readOperatorToken(dataFolder) ?? token;
    throw error;
  }
}
