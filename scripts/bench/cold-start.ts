import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { startServer } from './server.ts';

const EXECUTABLE = resolve(import.meta.dirname, '../../dist/misstep');
const AT_ONCE = 20;

export interface ColdStart {
  name: string;
  /** From the start of a process to its end. */
  alone: StartTimes;
  /** Twenty started together. */
  atOnce: StartTimes;
}

/** Milliseconds. */
export interface StartTimes {
  p50: number;
  p95: number;
}

interface Case {
  name: string;
  command: string;
  args: readonly string[];
}

const RECORD = JSON.stringify({
  session_id: 'bench',
  hook_event_name: 'PostToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_response: { stdout: 'README.md' },
  tool_use_id: 'toolu_1',
  cwd: '/tmp',
});

/** The cases alternate, so that a busy moment of the machine affects all of them. The first one is the baseline. */
export async function measureColdStart(rounds: number): Promise<ColdStart[]> {
  const folder = mkdtempSync(join(tmpdir(), 'misstep-cold-'));
  const server = await startServer({ durability: 'normal' });
  const ingest = ['ingest', '--agent', 'claude-code', '--data'];
  const otherFolder = join(folder, 'away');
  const cases: Case[] = [
    { name: 'empty Node (node -e 0)', command: process.execPath, args: ['-e', '0'] },
    { name: 'misstep --version', command: EXECUTABLE, args: ['--version'] },
    { name: 'hook, no server', command: EXECUTABLE, args: [...ingest, join(folder, 'store')] },
    { name: 'hook, spool of a server', command: EXECUTABLE, args: [...ingest, server.dataFolder] },
    {
      name: 'hook, sent to a server',
      command: EXECUTABLE,
      args: [...ingest, otherFolder, '--server', server.url, '--api-key', server.apiKey],
    },
  ];
  try {
    const alone = await measureInTurns(cases, rounds, 1);
    const atOnce = await measureInTurns(cases, Math.ceil(rounds / 5), AT_ONCE);
    return cases.map(({ name }, at) => ({ name, alone: toTimes(alone[at]!), atOnce: toTimes(atOnce[at]!) }));
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true });
  }
}

/** Milliseconds of every process, by case. */
async function measureInTurns(cases: readonly Case[], rounds: number, together: number): Promise<number[][]> {
  const times: number[][] = cases.map(() => []);
  for (let round = 0; round < rounds; round += 1)
    for (let turn = 0; turn < cases.length; turn += 1) {
      // The order changes, so that no case always follows the same one.
      const at = (turn + round) % cases.length;
      const all = Array.from({ length: together }, () => timeOf(cases[at]!));
      times[at]!.push(...(await Promise.all(all)));
    }
  return times;
}

function timeOf({ command, args }: Case): Promise<number> {
  const { promise, resolve: done, reject } = Promise.withResolvers<number>();
  const started = performance.now();
  const child = spawn(command, args, { stdio: ['pipe', 'ignore', 'inherit'] });
  child.once('error', reject).once('exit', (code) => {
    if (code === 0) done(performance.now() - started);
    else reject(new Error(`${command} ended with ${code}`));
  });
  // An empty Node ends without reading.
  child.stdin.on('error', () => {}).end(RECORD);
  return promise;
}

function toTimes(values: readonly number[]): StartTimes {
  const sorted = values.toSorted((one, other) => one - other);
  const at = (share: number) => Math.round((sorted[Math.floor(sorted.length * share)] ?? 0) * 10) / 10;
  return { p50: at(0.5), p95: at(0.95) };
}
