import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTenant, isBuilt, type Served, serve } from '../support/served.ts';

const SENDERS = 32;
const ACCEPTED_BODIES = 80;
const TRACES_PER_BODY = 200;
const SPANS_PER_TRACE = 20;
/** Memory of the smallest documented machines, MB. */
const MAX_MB = 768;

let folder: string;
let served: Served;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-memory-'));
  served = await serve(folder);
});
afterEach(async () => {
  await served.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe.skipIf(process.platform !== 'linux' || !isBuilt)(
  'memory of a server (Linux; needs dist/misstep: npm run build)',
  () => {
    it('has the settings of the allocator, under the process id that was started', () => {
      const environment = readFileSync(`/proc/${served.child.pid}/environ`, 'utf8').split('\0');
      expect(environment).toContain('MALLOC_ARENA_MAX=2');
      expect(environment).toContain('MALLOC_TRIM_THRESHOLD_=131072');
    });

    it('stays below 768 MB while 32 senders send compressed bodies of 3 MB', { timeout: 240_000 }, async () => {
      const { tenantId, apiKey } = await createTenant(served.url);
      const bodies = Array.from({ length: 16 }, (_, number) => gzipSync(bodyOf(number), { level: 1 }));
      const statuses: number[] = [];
      const acceptedCount = () => statuses.filter((status) => status === 202).length;
      let next = 0;
      const send = async () => {
        while (acceptedCount() < ACCEPTED_BODIES) {
          next += 1;
          const response = await fetch(`${served.url}/api/v1/tenants/${tenantId}/traces/ingest`, {
            method: 'POST',
            headers: { 'content-type': 'application/json', 'content-encoding': 'gzip', 'x-svc-api-key': apiKey },
            body: bodies[next % bodies.length],
          });
          await response.arrayBuffer();
          statuses.push(response.status);
        }
      };
      await Promise.all(Array.from({ length: SENDERS }, send));
      expect(statuses.filter((status) => status !== 202 && status !== 503)).toEqual([]);
      expect(peakMb()).toBeLessThan(MAX_MB);
    });
  },
);

function peakMb(): number {
  const status = readFileSync(`/proc/${served.child.pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1]) / 1024;
}

function bodyOf(number: number): string {
  const text = 'the quick brown fox '.repeat(20);
  const spans = Array.from({ length: TRACES_PER_BODY * SPANS_PER_TRACE }, (_, at) => ({
    traceId: idOf(32, 1 + number * TRACES_PER_BODY + Math.floor(at / SPANS_PER_TRACE)),
    spanId: idOf(16, 1 + at),
    name: 'execute_tool lookup',
    startTimeUnixNano: '1795220422376000000',
    endTimeUnixNano: '1795220422976000000',
    attributes: [{ key: 'input.value', value: { stringValue: `${at} ${text}` } }],
  }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

function idOf(length: number, number: number): string {
  return `d${number.toString(16).padStart(length - 1, '0')}`;
}
