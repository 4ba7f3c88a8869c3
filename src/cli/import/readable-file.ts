import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isSqliteFile } from '../../store/sqlite-openclaw.ts';
import { readDatabase } from '../read-database.ts';

/**
 * Calls a function with a file, or with the sessions of a database as a JSON lines file that only this user can read
 * and that is deleted afterwards.
 *
 * @throws AppError `usage` if a database holds no sessions of a known program
 */
export async function withReadable<Result>(file: string, act: (path: string) => Promise<Result>): Promise<Result> {
  if (!isSqliteFile(file)) return act(file);
  const folder = await mkdtemp(join(tmpdir(), 'misstep-import-'));
  try {
    const path = join(folder, `${basename(file)}.jsonl`);
    await writeFile(path, readDatabase(file, basename(file)), { mode: 0o600 });
    return await act(path);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
