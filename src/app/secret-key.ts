import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { readOrCreateSecretFile } from './secret-file.ts';

const FILE = 'secret-key';
const KEY_BYTES = 32;

/** The key that seals stored secrets; created at its first use. */
export function readOrCreateSecretKey(dataFolder: string): string {
  return readOrCreateSecretFile(join(dataFolder, FILE), () => randomBytes(KEY_BYTES).toString('base64url'));
}
