import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readOrCreateSecretFile, readSecretFile } from './secret-file.ts';

const FILE = 'secret-key';
const KEY_BYTES = 32;

/** Null if no key was created yet. */
export function readSecretKey(dataFolder: string): string | null {
  return readSecretFile(join(dataFolder, FILE));
}

/** The key that encrypts stored secrets; created at first use. */
export function readOrCreateSecretKey(dataFolder: string): string {
  return readOrCreateSecretFile(join(dataFolder, FILE), () => randomBytes(KEY_BYTES).toString('base64url'));
}
