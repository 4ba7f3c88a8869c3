import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';

const NAMES = /\.(?:json|jsonl|ndjson)(?:\.gz)?$|\.gz$/i;

/** Files that are imported from a folder; hidden ones are still being written. */
export function isImportable(path: string): boolean {
  const name = path.split(/[\\/]/).at(-1) ?? '';
  return NAMES.test(name) && !name.startsWith('.');
}

/**
 * The files named by the arguments; folders are searched recursively, sorted by name.
 *
 * @throws AppError `usage` if an argument does not exist
 */
export async function findImportFiles(cwd: string, named: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of named) {
    const path = resolve(cwd, name);
    const stats = await statsOf(path, name);
    if (!stats.isDirectory()) found.push(path);
    else for (const file of await filesIn(path)) found.push(file);
  }
  return [...new Set(found)];
}

async function statsOf(path: string, name: string): Promise<Stats> {
  try {
    return await stat(path);
  } catch (error) {
    throw new AppError('usage', `${JSON.stringify(name)} cannot be read.`, { cause: error });
  }
}

async function filesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => isImportable(file) && !/[\\/]\./.test(file.slice(folder.length)))
    .sort();
}
