import { chmodSync, constants, copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';

const COPIES = 3;

/**
 * Copies another program's database into a folder, with its write-ahead log, and again if the program wrote meanwhile:
 * opening the original would write files next to it.
 *
 * @returns the path of the copy
 */
export function copyDatabase(folder: string, file: string): string {
  const target = join(folder, 'copy.db');
  for (let copy = 1; copy <= COPIES; copy += 1) {
    const before = stampOf(file);
    for (const ending of ['', '-wal']) copyIfThere(`${file}${ending}`, `${target}${ending}`);
    if (stampOf(file) === before) break;
  }
  return target;
}

function copyIfThere(from: string, to: string): void {
  rmSync(to, { force: true });
  if (statSync(from, { throwIfNoEntry: false }) === undefined) return;
  copyFileSync(from, to, constants.COPYFILE_FICLONE);
  chmodSync(to, 0o600);
}

/** Changes with every commit. */
export function stampOf(file: string): string {
  return ['', '-wal']
    .map((ending) => statSync(`${file}${ending}`, { throwIfNoEntry: false }))
    .map((stats) => (stats === undefined ? '-' : `${stats.size}:${stats.mtimeMs}`))
    .join(' ');
}
