import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Sample } from './judge-soak.ts';

const MEGABYTE = 1024 * 1024;

/** Current figures of the process and its data folder (Linux). */
export function readSample(pid: number, dataFolder: string, atS: number, loopDelayMs: number | null): Sample {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const figure = (name: string) => Number(new RegExp(`${name}:\\s+(\\d+)`).exec(status)?.[1] ?? 0);
  const sizeMb = (file: string) => (existsSync(file) ? statSync(file).size / MEGABYTE : 0);
  const database = join(dataFolder, 'misstep.db');
  return {
    atS,
    residentMb: figure('VmRSS') / 1024,
    openFiles: readdirSync(`/proc/${pid}/fd`).length,
    threads: figure('Threads'),
    walMb: sizeMb(`${database}-wal`),
    databaseMb: sizeMb(database),
    loopDelayMs,
  };
}

/** The longest delay of the event loop since the previous reading, ms. */
export async function readLoopDelay(url: string, operatorToken: string): Promise<number | null> {
  const response = await fetch(`${url}/api/v1/metrics`, {
    headers: { authorization: `Bearer ${operatorToken}` },
  }).catch(() => null);
  if (response?.ok !== true) return null;
  const seconds = /^nodejs_eventloop_lag_max_seconds (\S+)/m.exec(await response.text())?.[1];
  return seconds === undefined || Number.isNaN(Number(seconds)) ? null : Number(seconds) * 1000;
}
