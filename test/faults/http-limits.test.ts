import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Credentials, createTenant, isBuilt, type Served, serve } from '../support/served.ts';

const MAX_PROBLEM_BYTES = 64 * 1024;
const UNKNOWN_MEMBERS = JSON.stringify(Object.fromEntries(Array.from({ length: 600 }, (_, at) => [`member${at}`, 1])));
const MANY_MEMBERS = `{${Array.from({ length: 4_500 }, (_, at) => `"m${at}":1`).join()}}`;

describe.skipIf(!isBuilt)('limits of HTTP (needs dist/misstep: npm run build)', () => {
  let folder: string;
  let served: Served;
  let tenant: Credentials;
  const sockets: Socket[] = [];
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'misstep-http-limits-'));
    served = await serve(folder, '--open-registration');
    tenant = await createTenant(served.url, 'other');
  });
  afterAll(async () => {
    for (const socket of sockets) socket.destroy();
    await served.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const post = (path: string, body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(`${served.url}${path}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', ...headers },
    });
  const postAsTenant = (credentials: Credentials, path: string, body: string | Uint8Array<ArrayBuffer>, headers = {}) =>
    post(path, body, { 'x-svc-api-key': credentials.apiKey, ...headers });

  /** A request with complete headers and a body that never ends. */
  function neverEnding(credentials: Credentials, start: Uint8Array): Socket {
    const socket = connect(Number(new URL(served.url).port), '127.0.0.1');
    sockets.push(socket);
    socket.on('error', () => {});
    const headers = `X-SVC-API-Key: ${credentials.apiKey}\r\nContent-Type: application/json\r\nContent-Encoding: gzip`;
    socket.write(`POST /v1/traces HTTP/1.1\r\nHost: 127.0.0.1\r\n${headers}\r\nContent-Length: 1000000\r\n\r\n`);
    socket.write(start);
    return socket;
  }

  const ended = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk) => {
        text += chunk;
      });
      socket.on('close', () => resolve(text));
    });

  it('ten anonymous requests with many unknown members get short responses', async () => {
    const responses = await Promise.all(
      [UNKNOWN_MEMBERS, MANY_MEMBERS].flatMap((body) =>
        Array.from({ length: 10 }, () => post('/api/v1/auth/token', body)),
      ),
    );
    for (const response of responses) {
      expect([413, 422]).toContain(response.status);
      expect((await response.arrayBuffer()).byteLength).toBeLessThan(MAX_PROBLEM_BYTES);
    }
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
  });

  it('a compressed body of millions of values is rejected on every kind of route', async () => {
    const bomb = new Uint8Array(gzipSync(`[${'[],'.repeat(20_000_000)}[]]`));
    const base = `/api/v1/tenants/${tenant.tenantId}`;
    const paths = [
      '/api/v1/auth/token',
      '/api/v1/llmapps/webhook',
      '/api/v1/traces/cli-agent/ingest',
      '/api/v1/security/injection/check',
      `${base}/conversations/ingest`,
      `${base}/feedback`,
    ];
    for (const path of paths) {
      const response = await postAsTenant(tenant, path, bomb, { 'content-encoding': 'gzip' });
      expect({ path, status: response.status }).toEqual({ path, status: 413 });
      expect(((await response.json()) as { detail: string }).detail).toMatch(/larger than \d+ bytes/);
    }
  });

  it('bodies that never end get 408, and another tenant is answered meanwhile', async () => {
    const hostile = await createTenant(served.url, 'hostile');
    const packed = gzipSync(Buffer.alloc(64 * 1024 * 1024));
    const stuck = Array.from({ length: 8 }, () => ended(neverEnding(hostile, packed.subarray(0, packed.length - 20))));
    const spans = new Uint8Array(gzipSync(JSON.stringify({ resourceSpans: [], filler: 'x'.repeat(20_000_000) })));
    let isOver = false;
    const over = Promise.all(stuck).finally(() => {
      isOver = true;
    });
    const statuses = new Set<number>();
    do {
      const response = await postAsTenant(tenant, '/v1/traces', spans, { 'content-encoding': 'gzip' });
      statuses.add(response.status);
      await response.arrayBuffer();
    } while (!isOver);
    expect([...statuses]).toEqual([200]);
    for (const response of await over) expect(response).toMatch(/^HTTP\/1\.1 408 [\s\S]*Connection: close/);
  });

  it('ends streams with a closing event at SIGTERM, and waits for no silent connection', async () => {
    const headers = { 'x-svc-api-key': tenant.apiKey };
    const stream = await fetch(`${served.url}/api/v1/llmapps/stream`, { headers });
    const silent = connect(Number(new URL(served.url).port), '127.0.0.1');
    sockets.push(silent);
    await new Promise((resolve) => silent.once('connect', resolve));
    const text = stream.text();
    const end = served.end('SIGTERM');
    expect(await text).toMatch(/event: closing\nretry: \d+\ndata: {"reason":"shutdown"}\n\n$/);
    await end;
    expect(served.child.exitCode).toBe(143);
  });
});
