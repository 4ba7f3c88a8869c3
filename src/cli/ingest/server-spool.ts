import { existsSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { makeFolder } from '../../store/data-folder/make-folder.ts';
import { textHash } from '../feedback/text-hash.ts';

/** One folder per server, because data for one server must not reach another. */
export async function serverSpoolOf(dataFolder: string, server: string): Promise<string> {
  const folder = join(dataFolder, 'spool-remote', textHash(server));
  if (!existsSync(folder)) await renameOldFolder(folder, server);
  return folder;
}

/** An earlier version used another folder name, whose hash would delay every hook. */
async function renameOldFolder(folder: string, server: string): Promise<void> {
  try {
    const { createHash } = await import('node:crypto');
    const name = createHash('sha256').update(server).digest('hex').slice(0, 16);
    makeFolder(dirname(folder));
    if (existsSync(join(dirname(folder), name))) renameSync(join(dirname(folder), name), folder);
    else makeFolder(folder);
  } catch {
    // Another hook created it first, or the folder is not readable: the server may still be reachable.
  }
}
