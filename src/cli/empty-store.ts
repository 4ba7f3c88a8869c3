import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFileOf } from '../app/config.ts';
import type { App } from '../app/open-app.ts';
import { spoolFolderOf } from '../features/spool/spool-name.ts';
import { MARKER_FILE } from '../store/data-folder/entries.ts';
import { faultOfErrno } from '../store/store-fault.ts';

/**
 * Whether the folder has a database, or spooled hook records. An existing folder is checked as before its
 * database is opened, so that an invalid folder does not look like an empty store.
 * @param checkFolder throws if the folder cannot be used
 * @throws StoreFault
 */
export function hasStore(dataFolder: string, checkFolder: (folder: string) => void): boolean {
  if (!exists(dataFolder)) return false;
  checkFolder(dataFolder);
  // A folder that is marked as a store but has no database is damaged, not empty: opening it reports that.
  const isMarked = existsSync(join(dataFolder, MARKER_FILE));
  return existsSync(databaseFileOf(dataFolder)) || isMarked || hasFiles(spoolFolderOf(dataFolder));
}

/** An empty store in a temporary folder; closing it removes the folder. */
export async function openEmptyStore(openIn: (folder: string) => Promise<App>): Promise<App> {
  const folder = await mkdtemp(join(tmpdir(), 'misstep-empty-'));
  const remove = () => rm(folder, { recursive: true, force: true });
  try {
    const app = await openIn(folder);
    return { ...app, close: () => app.close().finally(remove) };
  } catch (error) {
    await remove();
    throw error;
  }
}

function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    throw faultOfErrno(error, path);
  }
}

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}
