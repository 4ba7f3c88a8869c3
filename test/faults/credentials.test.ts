import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { listenLocally } from '../support/local-server.ts';
import { createTenant as createTenantOf, PROGRAM, type Served, serve } from '../support/served.ts';

let folder: string;
let servers: Served[] = [];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-credentials-'));
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.end('SIGKILL')));
  servers = [];
  rmSync(folder, { recursive: true, force: true });
});

const start = async (name: string, ...flags: string[]) => {
  const server = await serve(join(folder, name), ...flags);
  servers.push(server);
  return server;
};

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Runs one command line with a data folder. */
function misstep(name: string, ...argv: string[]): Promise<Ended> {
  const [command, ...before] = PROGRAM;
  const env = { PATH: process.env.PATH, HOME: folder, MISSTEP_DATA: join(folder, name) };
  const child = spawn(command, [...before, ...argv], { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => {
    ended.stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    ended.stderr += chunk;
  });
  return new Promise((done) => {
    child.on('close', (code) => done({ ...ended, code }));
  });
}

const createTenant = (name: string, { url }: Pick<Served, 'url'>) =>
  misstep(name, 'tenants', 'create', '--name', 'desk', '--server', url);

describe('the operator token', () => {
  it('reaches the server of its folder, on a fresh machine and after a restart on another port', async () => {
    const first = await start('one');
    expect(await createTenant('one', first)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mst_/) });
    expect(await createTenant('one', first)).toMatchObject({ code: 0 });
    expect(statSync(join(folder, 'one', 'server.json')).mode & 0o077).toBe(0);
    await first.end('SIGTERM');
    const second = await start('one');
    expect(await createTenant('one', second)).toMatchObject({ code: 0 });
  }, 60_000);

  it('is separate for two folders that each have a server', async () => {
    const [one, two] = await Promise.all([start('one'), start('two')]);
    for (const [name, server] of [['one', one] as const, ['two', two] as const])
      expect(await misstep(name, 'tenants', 'list', '--server', server.url)).toMatchObject({ code: 0 });
    const wrong = await misstep('one', 'tenants', 'list', '--server', two.url);
    expect(wrong.code).toBe(4);
    expect(wrong.stderr).toContain('the operator token there was not sent');
  }, 60_000);

  it('registers the first tenant although another folder has a token', async () => {
    const before = await start('one');
    await before.end('SIGTERM');
    const server = await start('two');
    expect(await createTenant('one', server)).toMatchObject({ code: 0, stdout: expect.stringMatching(/^mst_/) });
    expect(await createTenant('one', server)).toMatchObject({ code: 4 });
  }, 60_000);

  it('is never sent to another program on the port of a killed server', async () => {
    const server = await start('one');
    const token = readFileSync(join(folder, 'one', 'operator-token'), 'utf8').trim();
    await server.end('SIGKILL');
    const received: string[] = [];
    const otherProgram = createServer((incoming, outgoing) => {
      received.push(`${incoming.method} ${incoming.url} ${JSON.stringify(incoming.rawHeaders)}`);
      outgoing.writeHead(200, { 'x-svc-proof': '0'.repeat(64), 'content-type': 'application/json' }).end('{}');
    });
    const port = Number(new URL(server.url).port);
    const listening = await listenLocally(otherProgram, port);
    try {
      await misstep('one', 'tenants', 'list', '--server', server.url);
      await createTenant('one', server);
      expect(received.length).toBeGreaterThanOrEqual(2);
      expect(received.join('\n')).not.toContain(token);
    } finally {
      await listening.close();
    }
  }, 60_000);
});

describe('a key that the command line revokes on the store of a running server', () => {
  it('stops working, and its stream ends, long before a cached caller would expire', async () => {
    const server = await start('one');
    const { tenantId } = await createTenantOf(server.url);
    const made = await misstep(
      'one',
      'keys',
      'create',
      '--name',
      'k',
      '--scopes',
      'ingest',
      '--json',
      '--tenant',
      tenantId,
    );
    const { key_id, api_key } = JSON.parse(made.stdout);
    const headers = { 'x-svc-api-key': api_key };
    const status = async () => (await fetch(`${server.url}/api/v1/tenants/${tenantId}/agents`, { headers })).status;
    expect(await status()).toBe(403);
    const reader = await misstep(
      'one',
      'keys',
      'create',
      '--name',
      'r',
      '--json',
      '--tenant',
      tenantId,
      '--scopes',
      'read',
    );
    const streaming = JSON.parse(reader.stdout);
    const stream = await fetch(`${server.url}/api/v1/flowplatform/stream`, {
      headers: { 'x-svc-api-key': streaming.api_key },
    });
    const ended = stream.text();
    expect(await misstep('one', 'keys', 'revoke', key_id, '--yes', '--tenant', tenantId)).toMatchObject({ code: 0 });
    expect(await status()).toBe(401);
    const revoked = await misstep('one', 'keys', 'revoke', streaming.key_id, '--yes', '--tenant', tenantId);
    expect(revoked).toMatchObject({ code: 0 });
    expect(await ended).toContain('event: closing');
  }, 60_000);
});
