import { randomBytes } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder } from '../store/data-folder/make-folder.ts';

export interface EmbeddedAddon {
  /** File name that changes with the content. */
  name: string;
  /** Bytes. */
  size: number;
  read(): Uint8Array;
  /** @throws Error if the system rejects the file, as on a volume mounted `noexec` */
  load(file: string): void;
}

/**
 * The dynamic loader reads only files, so the addon is written once, to the first folder that can be made private.
 * @returns its path
 * @throws Error naming the problem of each folder
 */
export function unpackAddon(folders: readonly string[], addon: EmbeddedAddon): string {
  const problems: string[] = [];
  for (const folder of folders) {
    try {
      return unpackInto(folder, addon);
    } catch (error) {
      problems.push(`${folder}: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
  throw new Error(`no folder for the SQLite library: ${problems.join('; ')}`);
}

function unpackInto(folder: string, addon: EmbeddedAddon): string {
  makeFolder(folder);
  assertOwnFolder(folder);
  const file = join(folder, addon.name);
  if (existsSync(file) && statSync(file).size === addon.size && canLoad(addon, file)) return file;
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    writeFileSync(draft, addon.read(), { mode: 0o600, flag: 'wx' });
    addon.load(draft);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
  return file;
}

/** Loads the file to check it, because a file truncated by a power failure may have the right size. */
function canLoad(addon: EmbeddedAddon, file: string): boolean {
  try {
    addon.load(file);
    return true;
  } catch {
    return false;
  }
}

/** Code is loaded from this folder: it, and a link to it, must belong to this user; write access of other users is removed. */
function assertOwnFolder(folder: string): void {
  const target = statSync(folder);
  const owners = [lstatSync(folder).uid, target.uid];
  if (process.getuid && owners.some((owner) => owner !== process.getuid?.()))
    throw new Error('belongs to another user');
  if ((target.mode & 0o022) !== 0) chmodSync(folder, 0o700);
}
