import { randomBytes } from 'node:crypto';
import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '../store/data-folder/make-folder.ts';

/** The text of a file with one secret; null if the file is missing or empty. @throws if it cannot be read */
export function readSecretFile(path: string): string | null {
  try {
    return readFileSync(path, 'utf8').trim() || null;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

/**
 * The secret in the file, created if it is missing. Only the owner can read the file. The file gets its name
 * when it is complete, so that a crash leaves no empty file.
 */
export function readOrCreateSecretFile(path: string, create: () => string): string {
  const existing = readSecretFile(path);
  if (existing !== null) return existing;
  makeFolder(dirname(path));
  const part = `${path}.${randomBytes(6).toString('hex')}.part`;
  writeFileSync(part, `${create()}\n`, { mode: 0o600, flag: 'wx' });
  try {
    linkSync(part, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    // Another process created it first, unless that file is empty.
    if (readSecretFile(path) === null) renameSync(part, path);
  } finally {
    rmSync(part, { force: true });
  }
  const created = readSecretFile(path);
  if (created === null) throw new Error(`${path} is empty`);
  return created;
}
