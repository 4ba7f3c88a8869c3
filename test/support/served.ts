import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join, resolve } from 'node:path';

export const EXECUTABLE = resolve(import.meta.dirname, '../../dist/misstep');
export const isBuilt = existsSync(EXECUTABLE);
/** The built executable; if it is missing, the program from the sources. */
export const PROGRAM: readonly [string, ...string[]] = isBuilt
  ? [EXECUTABLE]
  : [process.execPath, resolve(import.meta.dirname, '../../bin/misstep.ts')];

/** A running server. */
export interface Served {
  url: string;
  child: ChildProcess;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts `misstep serve` on a free loopback port or that of `--port`, and waits until it responds. */
export async function serve(dataFolder: string, ...flags: string[]): Promise<Served> {
  const named = flags.indexOf('--port');
  const port = named === -1 ? await freePort() : Number(flags[named + 1]);
  const args = ['serve', '--port', String(port), '--data', dataFolder, '--rate-limit', 'off', '--no-input', ...flags];
  // Warnings only, so that request lines do not fill the memory.
  const env = { PATH: process.env.PATH, MISSTEP_LOG_LEVEL: 'warn' };
  const [command, ...before] = PROGRAM;
  const child = spawn(command, [...before, ...args], { stdio: ['ignore', 'ignore', 'pipe'], env });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const url = `http://127.0.0.1:${port}`;
  folders.set(url, dataFolder);
  await untilUp(url, () => child.exitCode !== null && stderr);
  return {
    url,
    child,
    end: (signal) =>
      new Promise((done) => {
        if (child.exitCode !== null || child.signalCode !== null) done();
        else child.once('exit', () => done());
        child.kill(signal);
      }),
  };
}

async function untilUp(url: string, hasEnded: () => string | false): Promise<void> {
  const deadline = Date.now() + 60_000;
  while (Date.now() < deadline) {
    const stderr = hasEnded();
    if (stderr !== false) throw new Error(`misstep serve ended: ${stderr}`);
    const response = await fetch(`${url}/readyz`).catch(() => null);
    if (response?.ok) return;
    await new Promise((next) => setTimeout(next, 25));
  }
  throw new Error('misstep serve did not come up within 60 s');
}

export function freePort(): Promise<number> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number };
      server.close(() => done(port));
    });
  });
}

export interface Credentials {
  tenantId: string;
  apiKey: string;
}

/** Data folder of each server by its URL; it contains the operator's credential. */
const folders = new Map<string, string>();

/** Registers a tenant as the operator of the server. */
export async function createTenant(url: string, name = 'test'): Promise<Credentials> {
  const response = await fetch(`${url}/api/v1/auth/tenants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: `Bearer ${operatorTokenOf(url)}` },
    body: JSON.stringify({ name }),
  });
  if (response.status !== 201) throw new Error(`creating a tenant: ${response.status} ${await response.text()}`);
  const { tenant_id, api_key } = (await response.json()) as { tenant_id: string; api_key: string };
  return { tenantId: tenant_id, apiKey: api_key };
}

/** The operator token that `serve` wrote to the data folder. */
export function operatorTokenOf(url: string): string {
  return readFileSync(join(folders.get(url) ?? '', 'operator-token'), 'utf8').trim();
}

/** Sends a POST that must succeed. @returns the JSON of the response */
export async function post<Answer>(url: string, credentials: Credentials, path: string, body: object): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/tenants/${credentials.tenantId}${path}`, {
    method: 'POST',
    headers: { 'x-svc-api-key': credentials.apiKey, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  if (!response.ok) throw new Error(`POST ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

/** Sends a GET that must succeed. @returns the JSON of the response */
export async function get<Answer>(url: string, credentials: Credentials, path: string): Promise<Answer> {
  const response = await fetch(`${url}/api/v1/tenants/${credentials.tenantId}${path}`, {
    headers: { 'x-svc-api-key': credentials.apiKey },
  });
  if (!response.ok) throw new Error(`GET ${path}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}
