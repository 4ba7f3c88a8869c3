import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { SETTLE_JOB } from '../../src/features/ingest/ingest.service.ts';
import { type BenchServer, startServer } from './server.ts';

export interface Rate {
  spansPerSecond: number;
  /** Spans a second of the server's processor time, all its threads counted. */
  spansPerCpuSecond: number;
  refusals: Record<string, number>;
}

export interface IngestFigures {
  durability: 'normal' | 'full';
  /** Storing alone: the load ends before its traces settle. */
  burst: Rate;
  /** Storing while worker threads analyze settled traces, which also needs processor time. */
  sustained: Rate;
  bytesPerSpan: number;
  residentMb: number;
}

/** Shorter than the time a trace takes to settle. */
const BURST_SECONDS = 1.8;

/** Durable spans through real HTTP into the built executable, rate limits off; the sender has its own process. */
export async function measureIngest(durability: 'normal' | 'full', seconds: number): Promise<IngestFigures> {
  const server = await startServer({ durability });
  try {
    // Long enough for the compiler to optimize every path.
    await measureLoad(server, 4, 1);
    await untilAnalyzed(server);
    const burst = await measureLoad(server, BURST_SECONDS, 2);
    const sustained = await measureLoad(server, seconds, 3);
    const residentMb = server.residentMb();
    await untilAnalyzed(server);
    await server.end();
    const file = join(server.dataFolder, 'misstep.db');
    return {
      durability,
      burst,
      sustained,
      bytesPerSpan: Math.round(statSync(file).size / storedSpans(file)),
      residentMb,
    };
  } finally {
    await server.stop();
  }
}

async function measureLoad(server: BenchServer, seconds: number, seed: number): Promise<Rate> {
  const cpuBefore = server.cpuSeconds();
  const load = await send(server, seconds, seed);
  return {
    spansPerSecond: Math.round((load.spans / load.tookMs) * 1000),
    spansPerCpuSecond: Math.round(load.spans / (server.cpuSeconds() - cpuBefore)),
    refusals: load.refusals,
  };
}

function storedSpans(file: string): number {
  const database = new BetterSqlite3(file, { readonly: true });
  const row = database.prepare('select sum(span_count) as spans from span_chunks').get() as { spans: number };
  database.close();
  return row.spans;
}

interface Load {
  spans: number;
  tookMs: number;
  refusals: Record<string, number>;
}

/** Loads the server for that time from a separate process. */
export function send(server: BenchServer, seconds: number, seed: number): Promise<Load> {
  const { url, tenantId, apiKey } = server;
  const order = { url, tenantId, apiKey, connections: 8, seconds, seed, spansPerBody: 100 };
  const child = spawn(process.execPath, [resolve(import.meta.dirname, 'send-load.ts')], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  child.stdin.end(JSON.stringify(order));
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  return new Promise((done, fail) => {
    child.on('exit', (code) =>
      code === 0 ? done(JSON.parse(output) as Load) : fail(new Error(`the sender ended with ${code}`)),
    );
  });
}

/** Bytes are counted after every trace has settled. Jobs that are due later are not awaited. */
async function untilAnalyzed(server: BenchServer): Promise<void> {
  const file = join(server.dataFolder, 'misstep.db');
  const database = new BetterSqlite3(file, { readonly: true });
  const waiting = database.prepare('select count(*) as jobs from jobs where kind = ?');
  try {
    for (let second = 0; second < 600; second += 1) {
      const row = waiting.get(SETTLE_JOB) as { jobs: number };
      if (row.jobs === 0) return;
      await new Promise((done) => setTimeout(done, 1000));
    }
  } finally {
    database.close();
  }
}
