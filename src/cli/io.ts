import { type Clock, systemClock } from '../core/clock.ts';

/** The external interfaces of a command; tests supply their own. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  env: Readonly<Record<string, string | undefined>>;
  /** The environment without settings from files, once these are in `env`. */
  processEnv?: Readonly<Record<string, string | undefined>>;
  cwd: string;
  clock: Clock;
  /** Milliseconds that `ingest` waits for a server; two seconds if omitted. */
  serverTimeoutMs?: number;
}

/** The process's own. Streams are created at first use: a hook needs none of them. */
export function processIo(): Io {
  return {
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    env: process.env,
    cwd: process.cwd(),
    clock: systemClock,
  };
}

/** The same with an input that need not be a stream. */
export type IngestIo = Omit<Io, 'stdin'> & { stdin: RecordInput };

export type RecordInput = AsyncIterable<Buffer | string> & { isTTY?: boolean };
