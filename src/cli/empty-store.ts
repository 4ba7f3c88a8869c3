import { existsSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { databaseFileOf } from '../app/config.ts';
import type { App } from '../app/open-app.ts';
import { spoolFolderOf } from '../features/spool/spool-name.ts';
import { MARKER_FILE } from '../store/data-folder/entries.ts';

/** Whether the folder has a database, or records of hooks that wait for one. */
export function hasStore(dataFolder: string): boolean {
  // Without its database, a marked store is damaged and not missing: opening it says so.
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

function hasFiles(folder: string): boolean {
  try {
    return readdirSync(folder).length > 0;
  } catch {
    return false;
  }
}
