import { type Clock, systemClock } from '../core/clock.ts';

/** The external interfaces of a command; tests supply their own. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  env: Readonly<Record<string, string | undefined>>;
  /** The environment without the settings from files that were added to `env`. */
  processEnv?: Readonly<Record<string, string | undefined>>;
  cwd: string;
  clock: Clock;
  /** Milliseconds that `ingest` waits for a server; two seconds if omitted. */
  serverTimeoutMs?: number;
}

/** The interfaces of the process. Streams are created at first use, because a hook needs none of them. */
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

/** The interfaces of `ingest`, whose input may be any async iterable. */
export type IngestIo = Omit<Io, 'stdin'> & { stdin: RecordInput };

export type RecordInput = AsyncIterable<Buffer | string> & { isTTY?: boolean };
