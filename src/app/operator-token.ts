import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readOrCreateSecretFile, readSecretFile } from './secret-file.ts';

const FILE = 'operator-token';
const TOKEN_BYTES = 32;

/** The operator credential that `serve` wrote to the data folder; null if the file is missing or unreadable. */
export function readOperatorToken(dataFolder: string): string | null {
  try {
    return readSecretFile(join(dataFolder, FILE));
  } catch {
    return null;
  }
}

/** Created by the first `serve`. @throws if the file cannot be read or written */
export function readOrCreateOperatorToken(dataFolder: string): string {
  return readOrCreateSecretFile(join(dataFolder, FILE), () => `op_${randomBytes(TOKEN_BYTES).toString('base64url')}`);
}
