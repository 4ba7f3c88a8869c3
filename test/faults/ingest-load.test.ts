import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import BetterSqlite3 from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Credentials, createTenant, type Served, serve } from '../support/served.ts';

const FLOOD_BODIES = 48;
const TRACES_PER_BODY = 2_000;
/** Together they contain more than a server stores while the senders wait. */
const SENDERS = 64;
const QUIET_BODIES = 15;

interface HttpReply {
  status: number;
  retryAfter: string | null;
}

let folder: string;
let served: Served;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-load-'));
  served = await serve(folder);
});
afterEach(async () => {
  await served.end('SIGKILL');
  rmSync(folder, { recursive: true, force: true });
});

describe('a tenant that floods the server', () => {
  it('gets 503 while another is served, and every acknowledged span survives kill -9', {
    timeout: 120_000,
  }, async () => {
    const [flooding, quiet] = [await createTenant(served.url, 'loud'), await createTenant(served.url, 'quiet')];
    const bodies = Array.from({ length: FLOOD_BODIES }, (_, number) => manyTraces(number));
    const acknowledged = new Set<string>();
    const answers: HttpReply[] = [];
    let isOver = false;
    const flood = Array.from({ length: SENDERS }, async (_, sender) => {
      for (let at = sender; !isOver; at += SENDERS) {
        const { body, traceIds } = bodies[at % FLOOD_BODIES] as Body;
        const answer = await post(flooding, body);
        answers.push(answer);
        if (answer.status === 202) for (const id of traceIds) acknowledged.add(id);
      }
    });
    const quietStatuses: number[] = [];
    for (let number = 0; number < QUIET_BODIES; number += 1) {
      const { body, traceIds } = oneTrace(number);
      const { status } = await post(quiet, body);
      quietStatuses.push(status);
      if (status === 202) for (const id of traceIds) acknowledged.add(id);
    }
    while (!answers.some(({ status }) => status === 503)) await new Promise((next) => setTimeout(next, 20));
    isOver = true;
    await served.end('SIGKILL');
    await Promise.all(flood);

    expect(quietStatuses).toEqual(Array(QUIET_BODIES).fill(202));
    // 0: the connection ended because the server was killed.
    expect(answers.filter(({ status }) => ![0, 202, 429, 503].includes(status))).toEqual([]);
    for (const { status, retryAfter } of answers) {
      if (status === 503) expect(Number(retryAfter)).toBeGreaterThanOrEqual(1);
      if (status === 503) expect(Number(retryAfter)).toBeLessThan(10);
    }
    const stored = storedTraces();
    expect([...acknowledged].filter((id) => !stored.has(id))).toEqual([]);
    expect(acknowledged.size).toBeGreaterThanOrEqual(QUIET_BODIES);
  });
});

interface Body {
  body: string;
  traceIds: string[];
}

/** One-span traces, padded so that the body is about 1.5 MB. */
function manyTraces(number: number): Body {
  const traceIds = Array.from({ length: TRACES_PER_BODY }, (_, at) => idOf(1 + number * TRACES_PER_BODY + at));
  return { traceIds, body: bodyOf(traceIds, 'x'.repeat(500)) };
}

function oneTrace(number: number): Body {
  const traceIds = [idOf(0xf000_0000 + number)];
  return { traceIds, body: bodyOf(traceIds, 'quiet') };
}

function bodyOf(traceIds: readonly string[], text: string): string {
  const spans = traceIds.map((traceId) => ({
    traceId,
    spanId: 'a000000000000001',
    name: 'chat',
    startTimeUnixNano: '1795220422376000000',
    endTimeUnixNano: '1795220422976000000',
    attributes: [{ key: 'input.value', value: { stringValue: text } }],
  }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}

function idOf(number: number): string {
  return `c${number.toString(16).padStart(31, '0')}`;
}

async function post({ tenantId, apiKey }: Credentials, body: string): Promise<HttpReply> {
  try {
    const response = await fetch(`${served.url}/api/v1/tenants/${tenantId}/traces/ingest`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-svc-api-key': apiKey },
      body,
    });
    await response.arrayBuffer();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  } catch {
    return { status: 0, retryAfter: null };
  }
}

function storedTraces(): Set<string> {
  const database = new BetterSqlite3(join(folder, 'misstep.db'), { readonly: true });
  try {
    const rows = database.prepare('select trace_id from span_chunks').all() as { trace_id: string }[];
    return new Set(rows.map((row) => row.trace_id));
  } finally {
    database.close();
  }
}
