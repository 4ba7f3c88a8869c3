import { once } from 'node:events';
import { PassThrough, Readable } from 'node:stream';
import { EXIT } from '../../src/cli/exit-code.ts';
import { runHotPath } from '../../src/cli/hot-path.ts';
import type { Io } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import { noSignals } from '../../src/cli/signals.ts';
import type { Clock } from '../../src/core/clock.ts';

/** The time of the clock in every scenario. */
export const NOW = Date.parse('2026-05-04T10:20:00Z');
export const fixedClock: Clock = { now: () => NOW };

/** Advances by one millisecond at each call, so that ids and times sort in the order of creation. */
export function tickingClock(): Clock {
  let now = NOW;
  return { now: () => now++ };
}

export interface CliInput {
  stdin?: string | Buffer;
  env?: Record<string, string>;
  cwd?: string;
  /** Standard input is a terminal. */
  isTty?: boolean;
  clock?: Clock;
  /** Milliseconds that `ingest` waits for a server. */
  serverTimeoutMs?: number;
}

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** A command that runs until it is interrupted. */
export interface RunningCli {
  result: Promise<CliResult>;
  /** Does the same as Ctrl-C. */
  interrupt(): void;
  /** Resolves when the output so far, on either stream, matches. */
  prints(part: RegExp): Promise<void>;
}

/** Runs one command line in this process, like the executable. */
export function runCli(argv: readonly string[], input: CliInput = {}): Promise<CliResult> {
  return startCli(argv, input).result;
}

export function startCli(argv: readonly string[], input: CliInput = {}): RunningCli {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io: Io = {
    stdin: Object.assign(Readable.from([Buffer.from(input.stdin ?? '')]), { isTTY: input.isTty ?? false }),
    stdout,
    stderr,
    env: input.env ?? {},
    cwd: input.cwd ?? process.cwd(),
    clock: input.clock ?? fixedClock,
    ...(input.serverTimeoutMs === undefined ? {} : { serverTimeoutMs: input.serverTimeoutMs }),
  };
  const results = { stdout: '', stderr: '' };
  let listeners: (() => void)[] = [];
  const hear = (name: keyof typeof results, stream: PassThrough) =>
    stream.setEncoding('utf8').on('data', (text: string) => {
      results[name] += text;
      for (const listen of listeners) listen();
    });
  hear('stdout', stdout);
  hear('stderr', stderr);
  const interrupted = new AbortController();
  const signals = { ...noSignals(), signal: interrupted.signal };
  const result = (async () => {
    const code = (await runHotPath(argv, io)) ?? (await main(argv, io, signals));
    const ended = Promise.all([once(stdout, 'end'), once(stderr, 'end')]);
    stdout.end();
    stderr.end();
    await ended;
    return { code, ...results };
  })();
  return {
    result,
    interrupt: () => interrupted.abort(EXIT.interrupted),
    prints: (part) =>
      new Promise((received, failed) => {
        const listen = () => {
          if (!part.test(results.stdout + results.stderr)) return;
          listeners = listeners.filter((each) => each !== listen);
          received();
        };
        listeners.push(listen);
        listen();
        result.then(
          ({ code }) => failed(new Error(`ended with ${code} and never printed ${part}: ${results.stderr}`)),
          failed,
        );
      }),
  };
}
