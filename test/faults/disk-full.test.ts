import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type DescribedRoute, describedRoutes, fillPath, paramsOf } from '../support/described-routes.ts';
import { type Credentials, EXECUTABLE, isBuilt } from '../support/served.ts';
import { createFirstTenant, type ServerProcess, startServerProcess } from '../support/server-process.ts';
import { runSpans, toRequest, traceIdOf } from '../support/store-app.ts';

const WAIT = { timeout: 45_000, interval: 200 };
const TIMEOUT_MS = 120_000;

let folder: string;
let servers: ServerProcess[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-full-'));
  servers = [];
});
afterEach(async () => {
  for (const server of servers) await server.end('SIGKILL');
  spawnSync('umount', ['-l', folder]);
  rmSync(folder, { recursive: true, force: true });
});

async function start(flags: readonly string[], shell: string | null = null): Promise<ServerProcess> {
  const server = await startServerProcess(folder, flags, { shell });
  servers.push(server);
  return server;
}

interface HttpReply {
  status: number;
  retryAfter: string | null;
  text: string;
}

async function send(
  url: string,
  { apiKey }: Credentials,
  method: string,
  path: string,
  body?: Buffer,
  type = 'application/json',
): Promise<HttpReply> {
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { 'x-svc-api-key': apiKey, 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
  return { status: response.status, retryAfter: response.headers.get('retry-after'), text: await response.text() };
}

const sendRun = (url: string, tenant: Credentials, number: number, text = '') => {
  const spans = runSpans(number).map((span) => ({ ...span, attributes: { ...span.attributes, note: text } }));
  return send(url, tenant, 'POST', `/api/v1/tenants/${tenant.tenantId}/traces/ingest`, toRequest(spans).body);
};

/** Sends runs until one is rejected. @returns the numbers of the accepted runs, and the error */
async function sendUntilRejected(
  url: string,
  tenant: Credentials,
): Promise<{ accepted: number[]; rejection: HttpReply }> {
  const accepted: number[] = [];
  for (let number = 1; ; number += 1) {
    const answer = await sendRun(url, tenant, number, randomBytes(40_000).toString('base64'));
    if (answer.status !== 202) return { accepted, rejection: answer };
    accepted.push(number);
  }
}

const pathOf = ({ path }: DescribedRoute, tenant: Credentials) =>
  fillPath(path, {
    ...Object.fromEntries(paramsOf(path).map((name) => [name, 'nothing'])),
    tenant_id: tenant.tenantId,
    trace_id: traceIdOf(1),
  });

describe.skipIf(!isBuilt)('a full disk (needs dist/misstep: npm run build)', () => {
  it(
    'by --min-free: every write of a tenant gets 503, reads and deletions work, hooks go to the spool',
    async () => {
      const first = await start(['--min-free', '0']);
      const tenant = await createFirstTenant(first.url);
      expect((await sendRun(first.url, tenant, 1)).status).toBe(202);
      await first.end();
      const { url, stderr } = await start(['--min-free', '900TiB']);

      /** Checks that store nothing; the others are listed in src/http/storage-routes.test.ts. */
      const storesNothing = /^(tokens\.create|security\.)/;
      const routes = describedRoutes().filter(({ access, isStream }) => access === 'tenant' && !isStream);
      const writes = routes.filter(({ id, method }) => !['GET', 'DELETE'].includes(method) && !storesNothing.test(id));
      expect(writes.length).toBeGreaterThan(40);
      const unexpected: unknown[] = [];
      for (const route of writes) {
        const isOtlp = route.path.startsWith('/v1/') || /\/v1\/(traces|logs)$/.test(route.path);
        const body = isOtlp ? toRequest(runSpans(2)).body : Buffer.from('{}');
        const type = route.id === 'langsmith.take-multipart' ? 'multipart/form-data; boundary=part' : undefined;
        const { status, retryAfter, text } = await send(url, tenant, route.method, pathOf(route, tenant), body, type);
        const isClear = text.includes(isOtlp ? '"code":14' : '"code":"storage_unavailable"');
        if (status !== 503 || retryAfter === null || !isClear) unexpected.push([route.id, status, retryAfter, text]);
      }
      expect(unexpected).toEqual([]);

      expect((await fetch(`${url}/readyz`)).status).toBe(503);
      const health = (await (await fetch(`${url}/health`)).json()) as { status: string; components: object };
      expect(health).toMatchObject({ status: 'unhealthy', components: { storage: { state: 'unavailable' } } });
      const hook = spawnSync(EXECUTABLE, ['ingest', '--data', folder], {
        input: '{"session_id":"s","hook_event_name":"Stop"}',
      });
      expect([hook.status, String(hook.stdout)]).toEqual([0, '']);
      const trace = `/api/v1/tenants/${tenant.tenantId}/traces/${traceIdOf(1)}`;
      expect((await send(url, tenant, 'DELETE', trace)).status).toBe(204);
      expect((await send(url, tenant, 'GET', trace)).status).toBe(404);
      expect(stderr().match(/"level":[56]0/g)).toHaveLength(1);
    },
    TIMEOUT_MS,
  );

  it(
    'by a limit on file sizes: 503, and writes resume by themselves when it is lifted',
    async (test) => {
      const canLift = spawnSync('prlimit', ['--version']).status === 0;
      if (!canLift) test.skip('prlimit is missing');
      const { url, child, stderr } = await start(['--min-free', '0'], 'ulimit -S -f 20480');
      const tenant = await createFirstTenant(url);
      const { accepted, rejection } = await sendUntilRejected(url, tenant);
      expect(rejection).toMatchObject({ status: 503, retryAfter: '5' });
      expect(rejection.text).toContain('storage_unavailable');
      expect(accepted.length).toBeGreaterThan(10);
      spawnSync('prlimit', ['--pid', String(child.pid), '--fsize=unlimited:unlimited']);
      await vi.waitFor(async () => expect((await sendRun(url, tenant, 100_000)).status).toBe(202), WAIT);
      await expectStored(url, tenant, accepted);
      expect(stderr()).toContain('everything can be stored again');
      expect(stderr()).not.toContain('request failed');
    },
    TIMEOUT_MS,
  );

  const isRoot = process.getuid?.() === 0 && spawnSync('mount', ['--version']).status === 0;
  it(
    'that is full (needs root, to mount a small file system): deletions work and free space, nothing else is lost',
    async (test) => {
      const isMounted =
        isRoot && spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=26m,mode=700', 'tmpfs', folder]).status === 0;
      if (!isMounted) test.skip('no small file system can be mounted');
      const { url, stderr } = await start(['--min-free', '0']);
      const tenant = await createFirstTenant(url);
      const { accepted, rejection } = await sendUntilRejected(url, tenant);
      expect(rejection).toMatchObject({ status: 503, retryAfter: '5' });
      const upload = await send(url, tenant, 'POST', '/api/v1/import-jobs', Buffer.alloc(3_000_000, 'x'));
      expect([upload.status, upload.retryAfter]).toEqual([503, '5']);
      expect((await fetch(`${url}/readyz`)).status).toBe(503);
      const [first = 0, ...others] = accepted;
      const traces = `/api/v1/tenants/${tenant.tenantId}/traces`;
      expect((await send(url, tenant, 'DELETE', `${traces}/${traceIdOf(first)}`)).status).toBe(204);
      await expectStored(url, tenant, others);
      // A job that deletes everything; nothing else frees space on this disk.
      expect((await send(url, tenant, 'DELETE', `${traces}?date_to=2100-01-01`)).status).toBe(202);
      await vi.waitFor(async () => expect((await sendRun(url, tenant, 100_000)).status).toBe(202), WAIT);
      expect((await fetch(`${url}/readyz`)).status).toBe(200);
      expect(stderr().match(/nothing can be stored/g)?.length).toBeLessThan(4);
    },
    TIMEOUT_MS,
  );
});

async function expectStored(url: string, tenant: Credentials, numbers: readonly number[]): Promise<void> {
  const missing: number[] = [];
  for (const number of numbers) {
    const { status } = await send(url, tenant, 'GET', `/api/v1/tenants/${tenant.tenantId}/traces/${traceIdOf(number)}`);
    if (status !== 200) missing.push(number);
  }
  expect(missing).toEqual([]);
}
