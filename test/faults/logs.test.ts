import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { isBuilt } from '../support/served.ts';
import { createFirstTenant, startServerProcess } from '../support/server-process.ts';

const WAIT = { timeout: 20_000, interval: 50 };

describe.skipIf(!isBuilt)('the log of a server (needs dist/misstep: npm run build)', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'misstep-logs-'));
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  it('has one format: retention, a warning, a failure, requests and the end are JSON lines', async () => {
    mkdirSync(join(folder, 'spool'), { recursive: true });
    writeFileSync(join(folder, 'spool', '00000000000001-1-a.spool'), 'this is no record');
    const server = await startServerProcess(folder, ['--retention', '1', '--min-free', '0']);
    await createFirstTenant(server.url);
    await fetch(`${server.url}/api/v1/nothing`);
    await vi.waitFor(() => expect(server.stderr()).toContain('records in the spool were lost'), WAIT);
    await vi.waitFor(() => expect(server.stderr()).toContain('retention: nothing to delete'), WAIT);
    expect(await server.end()).toBe(143);
    const low = await startServerProcess(folder, ['--min-free', '900TiB']);
    await vi.waitFor(() => expect(low.stderr()).toContain('nothing can be stored'), WAIT);
    await low.end();

    const lines = `${server.stderr()}${low.stderr()}`.trimEnd().split('\n');
    const parsed = lines.map((line) => {
      const { level, time, msg } = JSON.parse(line) as Record<string, unknown>;
      return [typeof level, typeof time, typeof msg];
    });
    expect(new Set(parsed.map(String))).toEqual(new Set(['number,number,string']));
    expect(lines.filter((line) => line.includes('nothing can be stored'))).toHaveLength(1);
  }, 60_000);

  it('with a closed pipe does not stop the server', async () => {
    const server = await startServerProcess(folder);
    server.child.stderr?.destroy();
    for (let request = 0; request < 20; request += 1)
      expect((await fetch(`${server.url}/api/v1/nothing`)).status).toBe(404);
    expect(await server.end()).toBe(143);
  }, 60_000);

  it('with a blocked pipe does not stop the server', async () => {
    const server = await startServerProcess(folder);
    server.child.stderr?.pause();
    // Much more than a pipe buffers.
    const path = `/api/v1/${'x'.repeat(2_000)}`;
    for (let round = 0; round < 20; round += 1)
      await Promise.all(Array.from({ length: 20 }, () => fetch(`${server.url}${path}`)));
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    server.child.stderr?.resume();
    expect(await server.end()).toBe(143);
  }, 60_000);

  it.skipIf(process.platform !== 'linux')(
    'on a full disk does not end the server',
    async () => {
      const server = await startServerProcess(folder, [], { shell: 'exec 2>/dev/full' });
      for (let request = 0; request < 20; request += 1)
        expect((await fetch(`${server.url}/api/v1/nothing`)).status).toBe(404);
      expect(await server.end()).toBe(143);
    },
    60_000,
  );
});
