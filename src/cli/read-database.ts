import { addonPath } from '../app/runtime-assets.ts';
import { AppError } from '../core/app-error.ts';
import { readOpenClawDatabase } from '../store/sqlite-openclaw.ts';

/**
 * The sessions of another program's SQLite database, as JSON lines.
 *
 * @param name as the user wrote it
 * @throws AppError `usage` if it cannot be read or holds no sessions of a known program
 */
export function readDatabase(file: string, name: string): Buffer {
  const body = readOrReject(file, name);
  if (body !== null) return body;
  throw new AppError(
    'usage',
    `${name} is an SQLite database without the table transcript_events of OpenClaw; no other database can be read.`,
  );
}

function readOrReject(file: string, name: string): Buffer | null {
  try {
    return readOpenClawDatabase(file, { addonPath: addonPath() });
  } catch (error) {
    throw new AppError('usage', `${name} cannot be read: ${(error as Error).message}`);
  }
}
