import { readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Clock } from '../../core/clock.ts';
import { backupSqlite, type SqliteOptions } from '../dialect.ts';
import { faultOfErrno, faultOfSqlite, StoreFault } from '../store-fault.ts';
import { createOwnerFile } from './owner-file.ts';

/** Number of copies to keep; older ones are deleted after a new one is complete. */
export const KEPT_COPIES = 3;
/** Files that a migration itself writes next to the copy. */
const MARGIN_BYTES = 16 * 1024 * 1024;

/** Paths of the copies that migrations made of this database, oldest first. */
export function migrationCopies(file: string): string[] {
  const prefix = `${basename(file)}.before-`;
  return readdirSync(dirname(file))
    .filter((name) => name.startsWith(prefix) && name.endsWith('.bak'))
    .sort()
    .map((name) => join(dirname(file), name));
}

/**
 * Copies the database to `<file>.before-<time>.bak` and keeps the newest copies.
 * @param freeBytes of the file system that holds the folder
 * @returns the path of the copy; null if there is no file yet
 * @throws StoreFault `no_space_for_copy` before anything is written
 */
export async function copyBeforeMigrating(
  { file, addonPath }: SqliteOptions,
  clock: Clock,
  freeBytes: (folder: string) => number = freeBytesOf,
): Promise<string | null> {
  const bytes = sizeOf(file) + sizeOf(`${file}-wal`);
  if (bytes === 0) return null;
  const needed = bytes + MARGIN_BYTES;
  const free = freeBytes(dirname(file));
  if (free < needed)
    throw new StoreFault('no_space_for_copy', file, { detail: `${megabytes(needed)} needed, ${megabytes(free)} free` });
  const stamp = new Date(clock.now()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const target = `${file}.before-${stamp}.bak`;
  await copyWhole(file, target, addonPath);
  for (const old of migrationCopies(file).slice(0, -KEPT_COPIES)) rmSync(old, { force: true });
  return target;
}

/** Under a temporary name until it is complete, so that a partial copy is never mistaken for a copy. */
async function copyWhole(file: string, target: string, addonPath: string | undefined): Promise<void> {
  const part = `${target}.part`;
  try {
    rmSync(part, { force: true });
    createOwnerFile(part);
    await backupSqlite(file, part, addonPath);
    renameSync(part, target);
  } catch (error) {
    rmSync(part, { force: true });
    throw faultOfErrno(faultOfSqlite(error, part), part);
  }
}

function freeBytesOf(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function megabytes(bytes: number): string {
  return `${Math.ceil(bytes / 1e6)} MB`;
}
