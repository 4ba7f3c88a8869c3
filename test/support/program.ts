import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { PROGRAM } from './served.ts';

const [command, ...before] = PROGRAM;

export interface RunOptions {
  input?: string;
  env?: Record<string, string>;
  /** Runs the program as this user; needs root. */
  uid?: number;
}

/** Runs one command of the program on a data folder, and waits for its end; after 60 s it is killed (`signal`). */
export function runProgram(
  dataFolder: string,
  args: readonly string[],
  { input, env = {}, uid }: RunOptions = {},
): SpawnSyncReturns<string> {
  return spawnSync(command, [...before, ...args, '--data', dataFolder, '--no-input'], {
    input: input ?? '',
    env: { PATH: process.env.PATH, ...env },
    encoding: 'utf8',
    timeout: 60_000,
    killSignal: 'SIGKILL',
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
}

export const isRoot = process.getuid?.() === 0;
