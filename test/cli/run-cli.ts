import { PassThrough, Readable } from 'node:stream';
import { runHotPath } from '../../src/cli/hot-path.ts';
import type { Io } from '../../src/cli/io.ts';
import { main } from '../../src/cli/main.ts';
import { noSignals } from '../../src/cli/signals.ts';
import type { Clock } from '../../src/core/clock.ts';

/** What every scenario's clock shows. */
export const NOW = Date.parse('2026-05-04T10:20:00Z');
export const standingClock: Clock = { now: () => NOW };

/** A millisecond a look, so that what is made later also sorts later. */
export function tickingClock(): Clock {
  let now = NOW;
  return { now: () => now++ };
}

export interface CliInput {
  stdin?: string | Buffer;
  env?: Record<string, string>;
  cwd?: string;
  /** Standard input is a keyboard. */
  isTty?: boolean;
  clock?: Clock;
}

export interface CliResult {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs one command line the way the executable does, inside this process. */
export async function runCli(argv: readonly string[], input: CliInput = {}): Promise<CliResult> {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  const io: Io = {
    stdin: Object.assign(Readable.from([Buffer.from(input.stdin ?? '')]), { isTTY: input.isTty ?? false }),
    stdout,
    stderr,
    env: input.env ?? {},
    cwd: input.cwd ?? process.cwd(),
    clock: input.clock ?? standingClock,
  };
  const texts = Promise.all([textOf(stdout), textOf(stderr)]);
  const code = (await runHotPath(argv, io)) ?? (await main(argv, io, noSignals()));
  stdout.end();
  stderr.end();
  const [out, err] = await texts;
  return { code, stdout: out, stderr: err };
}

async function textOf(stream: PassThrough): Promise<string> {
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part as Buffer);
  return Buffer.concat(parts).toString();
}
