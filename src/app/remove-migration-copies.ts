import { readdir, rm } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** Removes the database copies that migrations left next to it. @returns their names */
export async function removeMigrationCopies(databaseFile: string): Promise<string[]> {
  const folder = dirname(databaseFile);
  const names = (await readdir(folder)).filter(
    (name) => name.startsWith(`${basename(databaseFile)}.`) && /\.bak(?:-wal|-shm|-journal)?$/.test(name),
  );
  await Promise.all(names.map((name) => rm(join(folder, name), { force: true })));
  return names;
}
