import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { encodeOtlpJson } from '../../src/formats/otlp/encode-json.ts';
import { ingest } from '../support/ingest.ts';
import { loopingBody } from '../support/looping-run.ts';
import { createTenant, isBuilt, type Served, serve } from '../support/served.ts';
import { runSpans } from '../support/store-app.ts';
import { poll, storedRows } from '../support/stored-rows.ts';

const FLOOD_BODIES = 12;
const TRACES_PER_BODY = 400;

let folder: string;
let served: Served;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-fair-'));
  served = await serve(folder);
});
afterEach(async () => {
  await served.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

const waitingTraces = () =>
  storedRows<{ count: number }>(folder, `select count(*) as count from jobs where kind = 'settle'`)[0]?.count ?? 0;

describe.skipIf(!isBuilt)('the trace of a quiet tenant (needs dist/misstep: npm run build)', () => {
  it('is analyzed while an earlier flood of another tenant is still queued', { timeout: 120_000 }, async () => {
    const [flooding, quiet] = [await createTenant(served.url, 'loud'), await createTenant(served.url, 'quiet')];
    const bodies = Array.from({ length: FLOOD_BODIES }, (_, number) => floodBody(number));
    await Promise.all(bodies.map((body) => ingest(served.url, flooding, body)));
    const { traceId, body } = loopingBody(1_000_000);
    await ingest(served.url, quiet, body);
    const hasDetection = () =>
      storedRows(folder, 'select 1 from detections where trace_id = ? limit 1', traceId).length > 0;
    await poll(hasDetection);
    expect(waitingTraces()).toBeGreaterThan(0);
  });
});

function floodBody(number: number): string {
  const runs = Array.from({ length: TRACES_PER_BODY }, (_, at) => runSpans(1 + number * TRACES_PER_BODY + at));
  return encodeOtlpJson(runs.flat()).toString();
}
