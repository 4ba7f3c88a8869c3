import { type ChildProcess, spawn } from 'node:child_process';
import { type Credentials, freePort, PROGRAM } from './served.ts';

/** The executable as a server, with its output. */
export interface ServerProcess {
  url: string;
  child: ChildProcess;
  /** Its output to stderr so far. */
  stderr(): string;
  end(signal?: NodeJS.Signals): Promise<number | null>;
}

/**
 * Starts `misstep serve` on a free port and waits until it listens, ready or not.
 * @param shell a shell command that runs before, such as a limit
 */
export async function startServerProcess(
  dataFolder: string,
  flags: readonly string[] = [],
  { env = {}, shell = null }: { env?: Record<string, string>; shell?: string | null } = {},
): Promise<ServerProcess> {
  const port = await freePort();
  const args = ['serve', '--port', String(port), '--data', dataFolder, '--rate-limit', 'off', '--no-input', ...flags];
  const words = [...PROGRAM, ...args];
  const [command, ...rest] = shell === null ? words : ['/bin/sh', '-c', `${shell}; exec "$@"`, 'sh', ...words];
  const child = spawn(command as string, rest, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { PATH: process.env.PATH, MISSTEP_LOG_LEVEL: 'info', ...env },
  });
  let stderr = '';
  child.stderr?.on('data', (chunk) => {
    stderr += chunk;
  });
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)));
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + 60_000;
  for (;;) {
    if (child.exitCode !== null || Date.now() > deadline) throw new Error(`misstep serve did not start: ${stderr}`);
    const response = await fetch(`${url}/livez`).catch(() => null);
    if (response?.ok) break;
    await new Promise((next) => setTimeout(next, 25));
  }
  return {
    url,
    child,
    stderr: () => stderr,
    end(signal = 'SIGTERM') {
      child.kill(signal);
      return ended;
    },
  };
}

/** The first tenant of a new store, which anyone on this machine may create. */
export async function createFirstTenant(url: string): Promise<Credentials> {
  const response = await fetch(`${url}/api/v1/auth/tenants`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ name: 'first' }),
  });
  if (response.status !== 201) throw new Error(`creating a tenant: ${response.status} ${await response.text()}`);
  const { tenant_id, api_key } = (await response.json()) as { tenant_id: string; api_key: string };
  return { tenantId: tenant_id, apiKey: api_key };
}
