import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { seededRandom } from '../support/random.ts';
import { type Credentials, createTenant, isBuilt, type Served, serve } from '../support/served.ts';

const MIB = 1024 * 1024;
const POLL_MS = 50;

describe.skipIf(!isBuilt)('the write-ahead log of a running server (needs dist/misstep: npm run build)', () => {
  let folder: string;
  let served: Served;
  let credentials: Credentials;
  let stored = 0;
  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'misstep-log-'));
    served = await serve(folder);
    credentials = await createTenant(served.url);
  });
  afterEach(async () => {
    await served.end('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  });

  const logBytes = () => statSync(join(folder, 'misstep.db-wal'), { throwIfNoEntry: false })?.size ?? 0;

  async function post(body: string): Promise<number> {
    const response = await fetch(`${served.url}/api/v1/tenants/${credentials.tenantId}/traces/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-api-key': credentials.apiKey },
      body,
    });
    await response.arrayBuffer();
    return response.status;
  }

  async function store(traces: number): Promise<void> {
    for (let nth = 0; nth < traces; nth += 1) {
      stored += 1;
      expect(await post(bodyOf(stored))).toBe(202);
    }
  }

  async function untilShort(): Promise<void> {
    while (logBytes() > 4 * MIB) await new Promise((next) => setTimeout(next, POLL_MS));
  }

  it('grows during a long read without stopping the server, and shrinks when the read ends', async () => {
    const reader = new BetterSqlite3(join(folder, 'misstep.db'), { readonly: true });
    reader.exec('begin');
    reader.prepare('select count(*) from traces').get();
    while (logBytes() < 12 * MIB) await store(5);
    expect((await fetch(`${served.url}/readyz`)).status).toBe(200);
    reader.exec('commit');
    reader.close();
    await untilShort();
    await store(1);
  });

  it('stays short while 40 MB are stored, and no data is lost after a kill', async () => {
    const before = stored;
    let longest = 0;
    while (statSync(join(folder, 'misstep.db')).size < 40 * MIB) {
      await store(5);
      longest = Math.max(longest, logBytes());
    }
    expect(longest).toBeLessThan(32 * MIB);
    await served.end('SIGKILL');
    const database = new BetterSqlite3(join(folder, 'misstep.db'));
    expect(database.prepare('select sum(span_count) as spans from span_chunks').get()).toEqual({
      spans: stored - before,
    });
    expect(database.pragma('quick_check')).toEqual([{ quick_check: 'ok' }]);
    database.close();
  });
});

const TEXTS = 20;
const TEXT_BYTES = 20_000;

/** One span with texts that do not compress, so that the log grows. */
function bodyOf(number: number): string {
  const random = seededRandom(number);
  const text = () => Buffer.from(Array.from({ length: TEXT_BYTES }, () => random() * 256)).toString('base64');
  const startMs = Date.now() - 3_600_000;
  const span = {
    traceId: number.toString(16).padStart(32, '0'),
    spanId: number.toString(16).padStart(16, '0'),
    name: 'store a report',
    startTimeUnixNano: `${startMs}000000`,
    endTimeUnixNano: `${startMs + 100}000000`,
    attributes: Array.from({ length: TEXTS }, (_, nth) => ({ key: `part.${nth}`, value: { stringValue: text() } })),
  };
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] });
}
