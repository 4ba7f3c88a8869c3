import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const EXECUTABLE = resolve(import.meta.dirname, '../../dist/misstep');
const TICKS_A_SECOND = 100;

/** A served Misstep of its own: the built executable, an empty data folder, a tenant with a key. */
export interface BenchServer {
  url: string;
  dataFolder: string;
  tenantId: string;
  apiKey: string;
  process: ChildProcess;
  /** Processor seconds used so far, all threads. */
  cpuSeconds(): number;
  /** Resident megabytes. */
  residentMb(): number;
  /** Ends the process; the data folder stays. */
  end(): Promise<void>;
  /** Ends the process and removes the folder that was made for it. */
  stop(): Promise<void>;
}

export async function startServer(options: {
  durability: 'normal' | 'full';
  dataFolder?: string;
}): Promise<BenchServer> {
  const dataFolder = options.dataFolder ?? mkdtempSync(join(tmpdir(), 'misstep-bench-'));
  const port = await freePort();
  const args = [
    'serve',
    '--port',
    String(port),
    '--data',
    dataFolder,
    '--rate-limit',
    'off',
    '--durability',
    options.durability,
    '--quiet',
  ];
  const child = spawn(EXECUTABLE, args, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, MISSTEP_LOG_LEVEL: 'warn' },
  });
  const url = `http://127.0.0.1:${port}`;
  await untilReady(url);
  const { tenant_id, api_key } = await createTenant(url);
  return {
    url,
    dataFolder,
    tenantId: tenant_id,
    apiKey: api_key,
    process: child,
    cpuSeconds: () => cpuSecondsOf(child.pid as number),
    residentMb: () => residentMbOf(child.pid as number),
    end: () => endOf(child),
    async stop() {
      await endOf(child);
      if (!options.dataFolder) rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}

async function endOf(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((done) => child.once('exit', done));
  child.kill('SIGTERM');
  await ended;
}

export async function createTenant(url: string): Promise<{ tenant_id: string; api_key: string }> {
  const response = await fetch(`${url}/api/v1/auth/tenants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'bench' }),
  });
  if (!response.ok) throw new Error(`cannot create a tenant: ${response.status} ${await response.text()}`);
  return (await response.json()) as { tenant_id: string; api_key: string };
}

async function untilReady(url: string): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt += 1) {
    const isUp = await fetch(`${url}/health`).then(
      (response) => response.ok,
      () => false,
    );
    if (isUp) return;
    await new Promise((done) => setTimeout(done, 50));
  }
  throw new Error('the server did not come up within 10 s');
}

function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

/** Fields 14 and 15 of proc(5) stat, counted behind the command's closing bracket. */
function cpuSecondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function residentMbOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}
