import { createReadStream } from 'node:fs';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../core/app-error.ts';
import type { Io } from '../io.ts';

/** The lines of a file, or of standard input for `-`; `.gz` is decompressed. @throws AppError `usage` */
export async function* readLines(from: string, io: Io): AsyncGenerator<string> {
  const raw = from === '-' ? (io.stdin as Readable) : createReadStream(resolve(io.cwd, from));
  const packed = from.endsWith('.gz') ? raw.pipe(createGunzip()) : raw;
  // `pipe` does not forward errors.
  if (packed !== raw) raw.on('error', (error: Error) => packed.destroy(error));
  try {
    yield* splitLines(packed);
  } catch (error) {
    throw new AppError('usage', `${from} cannot be read: ${(error as Error).message}`, { cause: error });
  }
}

/** Splits at line feeds only: `node:readline` also splits at U+2028, which JSON texts may contain. */
async function* splitLines(chunks: AsyncIterable<Buffer | string>): AsyncGenerator<string> {
  const decoder = new StringDecoder('utf8');
  let pending: string[] = [];
  for await (const chunk of chunks) {
    const parts = (typeof chunk === 'string' ? chunk : decoder.write(chunk)).split('\n');
    const last = parts.pop()!;
    for (const part of parts) {
      yield pending.join('') + part;
      pending = [];
    }
    if (last !== '') pending.push(last);
  }
  if (pending.length > 0) yield pending.join('');
}
