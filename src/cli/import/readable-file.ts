import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { isSqliteFile } from '../../store/sqlite-openclaw.ts';
import { readDatabase } from '../read-database.ts';

/**
 * Does something with a file, or with the sessions of a database as a file of JSON lines, which only this user can read
 * and which is removed afterwards.
 *
 * @throws AppError `usage` where a database holds no sessions of a known program
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
