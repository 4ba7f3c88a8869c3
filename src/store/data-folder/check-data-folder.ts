import { accessSync, chmodSync, constants, existsSync, lstatSync, readdirSync, type Stats, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { faultOfErrno, StoreFault } from '../store-fault.ts';
import { isNeutralEntry, kindOfEntry } from './entries.ts';
import { makeFolder } from './make-folder.ts';

/** What was corrected, for the log. */
export interface FolderCorrection {
  path: string;
  /** Permission bits before and after, octal. */
  before: string;
  after: string;
}

/** Spool files and uploads can be many; at most this number is checked at a start. */
const MAX_ENTRIES = 10_000;
/** System folders that programs of all users need, even while they are empty. */
const SHARED_BY_ALL: readonly string[] = ['/tmp', '/var/tmp', '/dev/shm', '/run'];
const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;

/**
 * Creates the data folder if it is missing, removes other users' permissions from everything that Misstep stores in it,
 * and rejects entries that another user owns or that are links. Entries that are not Misstep's are not touched.
 * @param userId of this process; null on systems without one
 * @throws StoreFault
 */
export function checkDataFolder(folder: string, userId: number | null = currentUserId()): FolderCorrection[] {
  try {
    makeFolder(folder);
    const names = entriesOf(folder);
    const corrections: FolderCorrection[] = [];
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    // A folder that also holds other files keeps its mode, as long as no other user can write to it.
    const isOurs = names.every((name) => kindOfEntry(name) !== null || isNeutralEntry(name));
    restrictFolder(folder, isOurs, userId, corrections);
    for (const name of names) {
      const kind = kindOfEntry(name);
      if (kind === 'file') checkFile(join(folder, name), userId, corrections);
      if (kind === 'folder' && isOurs) checkSubfolder(join(folder, name), userId, corrections, { left: MAX_ENTRIES });
    }
    return corrections;
  } catch (error) {
    if (isDanglingLink(folder)) throw new StoreFault('link_loop', folder, { cause: error });
    throw faultOfErrno(error, folder);
  }
}

function isDanglingLink(folder: string): boolean {
  try {
    return lstatSync(folder).isSymbolicLink() && !existsSync(folder);
  } catch {
    return false;
  }
}

function currentUserId(): number | null {
  return process.getuid?.() ?? null;
}

function entriesOf(folder: string): string[] {
  if (!statSync(folder).isDirectory()) throw new StoreFault('not_a_folder', folder);
  return readdirSync(folder);
}

function restrictFolder(folder: string, isOurs: boolean, userId: number | null, corrections: FolderCorrection[]): void {
  const stat = statSync(folder);
  if (userId !== null && stat.uid !== userId) throw new StoreFault('other_owner', folder);
  if ((stat.mode & OTHERS) === 0) return;
  // The root of a new tmpfs has mode 1777 as well, so the mode alone is not sufficient.
  const isSystemFolder = dirname(folder) === folder || SHARED_BY_ALL.includes(resolve(folder));
  if (isOurs && !isSystemFolder) correct(folder, stat, 0o700, corrections);
  else if ((stat.mode & OTHERS_WRITE) !== 0) throw new StoreFault('shared_folder', folder);
}

function checkFile(path: string, userId: number | null, corrections: FolderCorrection[]): void {
  const stat = ownEntry(path, userId);
  if (stat === null) return;
  if (!stat.isFile()) throw new StoreFault('not_a_file', path);
  if ((stat.mode & OTHERS) !== 0) correct(path, stat, stat.mode & 0o700, corrections);
  accessFile(path);
}

function accessFile(path: string): void {
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw faultOfErrno(error, path);
  }
}

function checkSubfolder(
  path: string,
  userId: number | null,
  corrections: FolderCorrection[],
  budget: { left: number },
): void {
  const stat = ownEntry(path, userId);
  if (stat === null) return;
  if (!stat.isDirectory()) throw new StoreFault('not_a_folder', path);
  if ((stat.mode & OTHERS) !== 0) correct(path, stat, 0o700, corrections);
  for (const entry of readdirSync(path, { withFileTypes: true })) {
    budget.left -= 1;
    if (budget.left < 0) return;
    if (entry.isDirectory()) checkSubfolder(join(path, entry.name), userId, corrections, budget);
    else checkFile(join(path, entry.name), userId, corrections);
  }
}

/** Null if the entry was deleted in the meantime. */
function ownEntry(path: string, userId: number | null): Stats | null {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (stat === undefined) return null;
  if (stat.isSymbolicLink()) throw new StoreFault('symbolic_link', path);
  if (userId !== null && stat.uid !== userId) throw new StoreFault('other_owner', path);
  return stat;
}

function correct(path: string, stat: Stats, mode: number, corrections: FolderCorrection[]): void {
  try {
    chmodSync(path, mode);
    if ((statSync(path).mode & OTHERS) !== 0) throw new StoreFault('cannot_restrict', path);
  } catch (error) {
    // A spool file can be drained between the two calls.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw faultOfErrno(error, path);
  }
  corrections.push({ path, before: (stat.mode & 0o777).toString(8), after: mode.toString(8) });
}
