import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ingest } from '../support/ingest.ts';
import { loopingBody } from '../support/looping-run.ts';
import { createTenant, get, isBuilt, type Served, serve } from '../support/served.ts';
import { poll, storedRows } from '../support/stored-rows.ts';

const PRLIMIT = '/usr/bin/prlimit';
const TRACES = 5;

let folder: string;
let served: Served;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-worker-'));
  served = await serve(folder);
});
afterEach(async () => {
  await served.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

interface Readiness {
  status: number;
  text: string;
}

async function readReadiness(): Promise<Readiness> {
  const response = await fetch(`${served.url}/readyz`);
  return { status: response.status, text: await response.text() };
}

/** Limits the running server to this many more file descriptors. */
function leaveDescriptors(free: number): void {
  const used = readdirSync(`/proc/${served.child.pid}/fd`).length;
  setDescriptorLimit(used + free);
}

function setDescriptorLimit(limit: number): void {
  execFileSync(PRLIMIT, ['--pid', String(served.child.pid), `--nofile=${limit}:`]);
}

const countDetections = () =>
  storedRows<{ traces: number }>(folder, 'select count(distinct trace_id) as traces from detections')[0]?.traces ?? 0;

describe.skipIf(!isBuilt || !existsSync(PRLIMIT))('a server without descriptors for a worker thread', () => {
  it('reports missing workers, keeps acknowledged traces and analyzes all of them afterwards', {
    timeout: 120_000,
  }, async () => {
    const tenant = await createTenant(served.url);
    const runs = Array.from({ length: TRACES }, (_, number) => loopingBody(number + 1));
    for (const { body } of runs) await ingest(served.url, tenant, body);
    // The traces settle for two seconds; the threads that analyze them have not started yet.
    leaveDescriptors(2);
    const { text } = await poll(async () => {
      const readiness = await readReadiness();
      return readiness.status === 503 && readiness;
    });
    expect(text).toContain('analysis_workers');
    expect(countDetections()).toBe(0);

    setDescriptorLimit(4_096);
    await poll(() => countDetections() === TRACES);
    await poll(async () => (await readReadiness()).status === 200);
    for (const { traceId } of runs) {
      const trace = await get<{ analysis: { state: string } }>(served.url, tenant, `/traces/${traceId}`);
      expect(trace.analysis.state).toBe('complete');
    }
  });
});

interface LeasedRow {
  lease_owner: string;
  leased_until: number;
}

describe.skipIf(!isBuilt)('traces under analysis when the server was killed', () => {
  it('are analyzed by the next server before their leases would have expired', { timeout: 120_000 }, async () => {
    const tenant = await createTenant(served.url);
    const runs = Array.from({ length: 60 }, (_, number) => loopingBody(number + 1));
    for (const { body } of runs) await ingest(served.url, tenant, body);
    const query = 'select lease_owner, leased_until from jobs where lease_owner is not null';
    await poll(() => storedRows<LeasedRow>(folder, query).length > 0);
    await served.end('SIGKILL');
    const leased = storedRows<LeasedRow>(folder, query);
    expect(leased.length).toBeGreaterThan(0);

    served = await serve(folder);
    await poll(() => countDetections() === runs.length, 90_000);
    expect(Date.now()).toBeLessThan(Math.min(...leased.map((row) => row.leased_until)));
  });
});
