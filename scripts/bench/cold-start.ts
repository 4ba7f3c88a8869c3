import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const EXECUTABLE = resolve(import.meta.dirname, '../../dist/misstep');

export interface ColdStart {
  /** Milliseconds, median of all runs. */
  emptyNode: number;
  version: number;
  ingest: number;
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

/** The three take turns, so that a busy moment of the machine hits all of them. */
export function measureColdStart(runs: number): ColdStart {
  const folder = mkdtempSync(join(tmpdir(), 'misstep-cold-'));
  const times = { emptyNode: [] as number[], version: [] as number[], ingest: [] as number[] };
  for (let run = 0; run < runs; run += 1) {
    times.emptyNode.push(timed(process.execPath, ['-e', '0']));
    times.version.push(timed(EXECUTABLE, ['--version']));
    times.ingest.push(timed(EXECUTABLE, ['ingest', '--data', folder], RECORD));
  }
  rmSync(folder, { recursive: true });
  return { emptyNode: median(times.emptyNode), version: median(times.version), ingest: median(times.ingest) };
}

function timed(command: string, args: string[], input = ''): number {
  const started = performance.now();
  const { status } = spawnSync(command, args, { input, stdio: ['pipe', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${status}`);
  return performance.now() - started;
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return Math.round((sorted[Math.floor(sorted.length / 2)] ?? 0) * 10) / 10;
}
