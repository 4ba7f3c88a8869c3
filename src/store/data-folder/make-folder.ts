import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * Creates the folder and its parents with mode 0700. Node's own recursive mkdir never returns if an existing folder
 * returns ENOENT, as /proc does.
 * @throws the error of the file system
 */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  const parent = dirname(folder);
  if (parent !== folder && !existsSync(parent)) makeFolder(parent);
  try {
    mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process created it first.
    if (!existsSync(folder)) throw error;
  }
}
