import { constants } from 'node:buffer';
import { readFileSync, statSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import { AppError } from '../../core/app-error.ts';
import { isSqliteFile } from '../../store/sqlite-openclaw.ts';
import type { Io } from '../io.ts';
import { readDatabase } from '../read-database.ts';

/** A body to analyze and its source. */
export interface Input {
  /** Absolute path, or the path relative to the working directory if it is shorter; null for standard input. */
  source: string | null;
  body: Buffer;
}

/** Larger bodies exceed the maximum length of a string. */
const MAX_BYTES = constants.MAX_STRING_LENGTH;

/** @throws AppError `usage` if there is no such file or it cannot be read */
export function readInputFile(path: string, io: Io): Input {
  const file = resolve(io.cwd, path);
  try {
    if (statSync(file).isDirectory()) throw new AppError('usage', `${path} is a folder; name the files in it.`);
    return { source: shortest(file, io.cwd), body: isSqliteFile(file) ? readDatabase(file, path) : readFileSync(file) };
  } catch (error) {
    if (error instanceof AppError) throw error;
    throw new AppError('usage', `${path} cannot be read: ${(error as Error).message}`);
  }
}

/** @throws AppError `usage` if standard input is a terminal, `payload_too_large` */
export async function readStandardInput(io: Io): Promise<Input> {
  if (io.stdin.isTTY) throw new AppError('usage', 'No input: name a file, or pipe a trace to standard input.');
  const parts: Buffer[] = [];
  let size = 0;
  for await (const part of io.stdin) {
    const bytes = typeof part === 'string' ? Buffer.from(part) : part;
    size += bytes.length;
    if (size > MAX_BYTES)
      throw new AppError('payload_too_large', 'The input is too large to read at once; split it into several files.');
    parts.push(bytes);
  }
  return { source: null, body: Buffer.concat(parts) };
}

function shortest(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return path.startsWith('..') ? file : path;
}
