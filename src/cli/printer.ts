import type { Io } from './io.ts';
import { printableJson } from './views/printable.ts';

/** Data goes to stdout, everything else to stderr. */
export interface Printer {
  /** Text unchanged; the caller has escaped it. */
  data(text: string): void;
  json(value: unknown): void;
  /** A message that `--quiet` suppresses. */
  note(line: string): void;
  warn(line: string): void;
}

export function createPrinter(io: Io, isQuiet: boolean): Printer {
  return {
    data: (text) => void io.stdout.write(text),
    json: (value) => void io.stdout.write(`${printableJson(value)}\n`),
    note: (line) => void (isQuiet || io.stderr.write(`${line}\n`)),
    warn: (line) => void io.stderr.write(`${line}\n`),
  };
}

/** A closed pipe, as with `| head`, is not an error: further output is dropped. */
export function tolerateClosedPipes(io: Io): void {
  if (!io.stdout.listeners('error').includes(ignoreClosedPipe)) io.stdout.on('error', ignoreClosedPipe);
  if (!io.stderr.listeners('error').includes(ignoreFailedWrite)) io.stderr.on('error', ignoreFailedWrite);
}

/** A message that cannot be written, for example to a full disk, must not end the program. */
function ignoreFailedWrite(): void {}

/** Whether a command ended because the reader of its output disconnected. */
export function isClosedOutput(error: unknown, { stdout }: Io): boolean {
  const { code } = (error ?? {}) as NodeJS.ErrnoException;
  if (code !== 'EPIPE' && code !== 'ERR_STREAM_DESTROYED' && code !== 'ERR_STREAM_PREMATURE_CLOSE') return false;
  return !stdout.writable || closedOutputs.has(stdout);
}

/** Node makes standard output writable again after an error, so the stream itself does not show that its reader disconnected. */
const closedOutputs = new WeakSet<object>();

function ignoreClosedPipe(this: object, error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE' && error.code !== 'ERR_STREAM_DESTROYED') throw error;
  closedOutputs.add(this);
}
