import { type Clock, systemClock } from '../core/clock.ts';

/** What a command touches of the outside; a test gives its own. */
export interface Io {
  stdin: NodeJS.ReadableStream & { isTTY?: boolean };
  stdout: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  stderr: NodeJS.WritableStream & { isTTY?: boolean; columns?: number };
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  clock: Clock;
}

export function processIo(): Io {
  const { stdin, stdout, stderr, env } = process;
  return { stdin, stdout, stderr, env, cwd: process.cwd(), clock: systemClock };
}
