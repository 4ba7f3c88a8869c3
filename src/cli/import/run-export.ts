import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { Readable, type Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import type { CommandContext } from '../context.ts';
import { printableLine } from '../views/printable.ts';

export interface ExportFlags {
  output?: string;
  gzip?: boolean;
}

/** The file gets its name when it is complete, so that a partial export is never mistaken for a complete one. */
export async function runExport(context: CommandContext, { output, gzip }: ExportFlags): Promise<void> {
  const { io, print, signal } = context;
  const lines = Readable.from(await (await context.backend()).exportLines(), { objectMode: false });
  const write = (target: Writable, end: boolean) =>
    gzip ? pipeline(lines, createGzip(), target, { signal, end }) : pipeline(lines, target, { signal, end });
  if (output === undefined) return write(io.stdout as Writable, false);
  const file = resolve(io.cwd, output);
  const part = `${file}.part`;
  try {
    await write(createWriteStream(part, { mode: 0o600 }), true);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  print.note(printableLine(`Written to ${output}.`));
}
