import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkIntegrity } from '../src/store/dialect.ts';
import { seededRandom } from './support/random.ts';
import { type Credentials, createTenant, get, isBuilt, serve } from './support/served.ts';

const KILLS = 20;
const SENDERS = 4;
const MIN_RESPONSES = 4;

/** Acknowledged spans by trace. */
type Ledger = Map<string, Set<string>>;

describe.skipIf(!isBuilt)('kill -9 under ingest load (needs dist/misstep: npm run build)', () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'misstep-crash-'));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  it(`${KILLS} times at random moments: no acknowledged span is missing or duplicated, and the file is intact`, async () => {
    const random = seededRandom(9);
    const acknowledged: Ledger = new Map();
    let credentials: Credentials | null = null;
    let responses = 0;
    for (let kill = 0; kill < KILLS; kill += 1) {
      const served = await serve(folder);
      credentials ??= await createTenant(served.url);
      const load = startLoad(served.url, credentials, acknowledged, kill);
      // Counted in responses, not in time, because a busy machine responds later.
      await load.untilAnswered(MIN_RESPONSES + Math.floor(random() * 30));
      await new Promise((next) => setTimeout(next, random() * 20));
      await served.end('SIGKILL');
      responses += await load.stop();
      expect(checkIntegrity(join(folder, 'misstep.db'), undefined)).toEqual(['ok']);
    }
    expect(responses).toBeGreaterThanOrEqual(KILLS * MIN_RESPONSES);

    const served = await serve(folder);
    const problems: string[] = [];
    for (const [traceId, spanIds] of acknowledged) {
      const trace = await get<{ spans: { span_id: string }[] }>(
        served.url,
        credentials as Credentials,
        `/traces/${traceId}`,
      );
      const stored = trace.spans.map((span) => span.span_id);
      const missing = [...spanIds].filter((id) => !stored.includes(id));
      if (missing.length > 0) problems.push(`${traceId} misses ${missing.length}`);
      if (new Set(stored).size !== stored.length) problems.push(`${traceId} has doubles`);
    }
    await served.end('SIGTERM');
    expect(problems).toEqual([]);
    expect(checkIntegrity(join(folder, 'misstep.db'), undefined)).toEqual(['ok']);
  }, 180_000);
});

/** Senders post small batches, some of them twice, until stopped. Only batches with a 2xx response enter the ledger. */
function startLoad(url: string, credentials: Credentials, ledger: Ledger, round: number) {
  let isStopped = false;
  let responses = 0;
  let onResponse = () => {};
  const senders = Array.from({ length: SENDERS }, async (_, sender) => {
    for (let batch = 0; !isStopped; batch += 1) {
      const { body, traceId, spanIds } = createBatch(round, sender, batch);
      for (let sending = 0; sending < (batch % 3 === 0 ? 2 : 1); sending += 1) {
        const status = await post(url, credentials, body);
        if (status !== 202) continue;
        responses += 1;
        const known = ledger.get(traceId) ?? new Set();
        for (const id of spanIds) known.add(id);
        ledger.set(traceId, known);
        onResponse();
      }
    }
  });
  return {
    untilAnswered: (count: number) =>
      new Promise<void>((reached) => {
        onResponse = () => {
          if (responses >= count) reached();
        };
        onResponse();
      }),
    async stop() {
      isStopped = true;
      await Promise.all(senders);
      return responses;
    },
  };
}

/** Two batches share a trace, so that traces are split over requests and crashes. */
function createBatch(round: number, sender: number, batch: number) {
  const traceId = digits(round + 1, 4) + digits(sender, 4) + digits(Math.floor(batch / 2), 24);
  const spanIds = Array.from(
    { length: 5 },
    (_, place) => digits(round + 1, 4) + digits(sender, 2) + digits(batch, 8) + digits(place, 2),
  );
  const spans = spanIds.map((spanId, place) => ({
    traceId,
    spanId,
    name: `step ${place}`,
    kind: 1,
    startTimeUnixNano: '1795220422376000000',
    endTimeUnixNano: '1795220422976000000',
    attributes: [{ key: 'gen_ai.agent.name', value: { stringValue: `agent ${sender}` } }],
  }));
  return { traceId, spanIds, body: JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }) };
}

function digits(number: number, width: number): string {
  return number.toString(16).padStart(width, '0');
}

async function post(url: string, credentials: Credentials, body: string): Promise<number> {
  const response = await fetch(`${url}/api/v1/tenants/${credentials.tenantId}/traces/ingest`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-svc-api-key': credentials.apiKey },
    body,
  }).catch(() => null);
  await response?.arrayBuffer().catch(() => null);
  return response?.status ?? 0;
}
