import { type ChildProcess, spawn } from 'node:child_process';
import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../../test/support/served.ts';
import { send } from './ingest.ts';
import { type BenchServer, startServer } from './server.ts';

export interface DiskFigures {
  name: string;
  spansPerSecond: number;
  /** Longest delay of the server's event loop in each second, ms. */
  delayMs: { p50: number; p95: number; longest: number };
  /** Longest time that a read of another client took in each second, ms. */
  readMs: { p50: number; p95: number; longest: number };
  /** Largest size of the write-ahead log. */
  logMb: number;
}

/** Writers that sync each megabyte keep the queue of a disk full. */
const DISK_WRITERS = 3;

/** Delays of the event loop and of a reader while spans are stored, on an idle disk and on one that other programs sync. */
export async function measureBusyDisk(seconds: number): Promise<DiskFigures[]> {
  const metricsPort = await freePort();
  const flags = ['--metrics-listen', `127.0.0.1:${metricsPort}`];
  const server = await startServer({ durability: 'normal', flags });
  try {
    const metricsUrl = `http://127.0.0.1:${metricsPort}/metrics`;
    await send(server, 4, 1);
    const rows = [await measureRow('idle disk', server, metricsUrl, seconds, 2)];
    const writers = Array.from({ length: DISK_WRITERS }, (_, nth) =>
      startWriter(join(server.dataFolder, `busy-${nth}`)),
    );
    try {
      rows.push(await measureRow(`next to ${DISK_WRITERS} programs that sync`, server, metricsUrl, seconds, 3));
    } finally {
      for (const { stop } of writers) stop();
    }
    return rows;
  } finally {
    await server.stop();
  }
}

function startWriter(file: string): { stop(): void } {
  let isStopped = false;
  let child: ChildProcess;
  const run = () => {
    child = spawn('dd', ['if=/dev/zero', `of=${file}`, 'bs=1M', 'count=256', 'oflag=dsync', 'status=none']);
    child.on('exit', () => (isStopped ? rmSync(file, { force: true }) : run()));
  };
  run();
  return {
    stop() {
      isStopped = true;
      child.kill();
    },
  };
}

async function measureRow(
  name: string,
  server: BenchServer,
  metricsUrl: string,
  seconds: number,
  seed: number,
): Promise<DiskFigures> {
  const watching = new AbortController();
  const samples: { delayMs: number; readMs: number; logBytes: number }[] = [];
  const watch = async () => {
    await longestDelayMs(metricsUrl);
    while (!watching.signal.aborted) {
      const readMs = await longestReadMs(server, 1_000);
      const logBytes = statSync(join(server.dataFolder, 'misstep.db-wal'), { throwIfNoEntry: false })?.size ?? 0;
      samples.push({ delayMs: await longestDelayMs(metricsUrl), readMs, logBytes });
    }
  };
  const watched = watch();
  const { spans, tookMs } = await send(server, seconds, seed);
  watching.abort();
  await watched;
  return {
    name,
    spansPerSecond: Math.round((spans / tookMs) * 1000),
    delayMs: summary(samples.map(({ delayMs }) => delayMs)),
    readMs: summary(samples.map(({ readMs }) => readMs)),
    logMb: Math.max(...samples.map(({ logBytes }) => logBytes)) / 1e6,
  };
}

const READ_EVERY_MS = 20;

async function longestReadMs({ url, tenantId, apiKey }: BenchServer, forMs: number): Promise<number> {
  const until = performance.now() + forMs;
  let longest = 0;
  while (performance.now() < until) {
    const started = performance.now();
    const response = await fetch(`${url}/api/v1/tenants/${tenantId}/traces?page_size=1`, {
      headers: { 'x-svc-api-key': apiKey },
    });
    await response.arrayBuffer();
    longest = Math.max(longest, performance.now() - started);
    await sleep(READ_EVERY_MS);
  }
  return longest;
}

async function longestDelayMs(metricsUrl: string): Promise<number> {
  const text = await (await fetch(metricsUrl)).text();
  return Number(/^nodejs_eventloop_lag_max_seconds (\S+)$/m.exec(text)?.[1] ?? Number.NaN) * 1000;
}

function summary(values: readonly number[]): { p50: number; p95: number; longest: number } {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
  return { p50: at(0.5), p95: at(0.95), longest: sorted.at(-1)! };
}
