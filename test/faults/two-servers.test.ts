import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProgram } from '../support/program.ts';
import { createTenant, isBuilt, type Served, serve } from '../support/served.ts';

let data: string;
let served: Served | null;
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'misstep-two-'));
  served = null;
});
afterEach(async () => {
  await served?.end('SIGKILL');
  rmSync(data, { recursive: true, force: true });
});

const readServerJson = () => JSON.parse(readFileSync(join(data, 'server.json'), 'utf8')) as Record<string, unknown>;

describe.skipIf(!isBuilt)('a data folder with a running server (needs dist/misstep: npm run build)', () => {
  it.each([[['serve', '--port', '0']], [['migrate', 'down']], [['migrate', 'up']]])(
    'rejects %s with the process id of the holder',
    async (args) => {
      served = await serve(data);
      const { status, stderr } = runProgram(data, args);
      expect(status).toBe(3);
      expect(stderr).toContain(`by process ${served.child.pid}`);
      expect(stderr).toContain(served.url);
      expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
    },
  );

  it('is described in server.json, for its owner only, until the server ends', async () => {
    served = await serve(data);
    expect(readServerJson()).toEqual({
      url: served.url,
      web_address: served.url,
      healing_roots: [],
      pid: served.child.pid,
      instance_id: expect.stringMatching(/^srv_[0-9a-f]{24}$/),
      started_at: expect.any(Number),
    });
    expect(statSync(join(data, 'server.json')).mode & 0o777).toBe(0o600);
    await served.end('SIGTERM');
    expect(readdirSync(data)).not.toContain('server.json');
  });

  it('allows commands that read and write', async () => {
    served = await serve(data);
    await createTenant(served.url, 'desk');
    expect(runProgram(data, ['tenants', 'list']).stdout).toContain('desk');
    expect(runProgram(data, ['migrate', 'status']).status).toBe(0);
    expect(runProgram(data, ['migrate', 'down', '--dry-run']).status).toBe(0);
  });

  it('is unlocked immediately after kill -9, even if server.json names a running process', async () => {
    served = await serve(data);
    const before = readServerJson();
    await served.end('SIGKILL');
    expect(readServerJson()).toEqual(before);
    writeFileSync(join(data, 'server.json'), JSON.stringify({ ...before, pid: process.pid }), { mode: 0o600 });
    served = await serve(data);
    expect(readServerJson().instance_id).not.toBe(before.instance_id);
  });
});
