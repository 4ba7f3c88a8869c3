import { spawn } from 'node:child_process';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { type BenchServer, startServer } from './server.ts';

export interface IngestFigures {
  durability: 'normal' | 'full';
  spansPerSecond: number;
  /** Spans a second of the server's processor time, all its threads counted. */
  spansPerCpuSecond: number;
  refusals: Record<string, number>;
  bytesPerSpan: number;
  residentMb: number;
}

/** Durable spans through real HTTP into the built executable, rate limits off; the sender has its own process. */
export async function measureIngest(durability: 'normal' | 'full', seconds: number): Promise<IngestFigures> {
  const server = await startServer({ durability });
  try {
    await send(server, 2, 1);
    const cpuBefore = server.cpuSeconds();
    const load = await send(server, seconds, 2);
    const cpuSeconds = server.cpuSeconds() - cpuBefore;
    const residentMb = server.residentMb();
    await untilAnalysed(server);
    const file = join(server.dataFolder, 'misstep.db');
    await server.end();
    return {
      durability,
      spansPerSecond: Math.round((load.spans / load.tookMs) * 1000),
      spansPerCpuSecond: Math.round(load.spans / cpuSeconds),
      refusals: load.refusals,
      bytesPerSpan: Math.round(statSync(file).size / storedSpans(file)),
      residentMb,
    };
  } finally {
    await server.stop();
  }
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

function send(server: BenchServer, seconds: number, seed: number): Promise<Load> {
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

/** Bytes are counted once every trace is settled, as a store is found in the morning. */
async function untilAnalysed(server: BenchServer): Promise<void> {
  const file = join(server.dataFolder, 'misstep.db');
  const database = new BetterSqlite3(file, { readonly: true });
  try {
    for (let second = 0; second < 600; second += 1) {
      const row = database.prepare('select count(*) as jobs from jobs').get() as { jobs: number };
      if (row.jobs === 0) return;
      await new Promise((done) => setTimeout(done, 1000));
    }
  } finally {
    database.close();
  }
}
