import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { decodeOtlpJson } from '../src/formats/otlp/decode-json.ts';
import { encodeOtlpProtobuf } from '../src/formats/otlp/encode-protobuf.ts';
import { mutateBytes } from './support/mutate.ts';
import { pick, seededRandom } from './support/random.ts';
import { type Credentials, createTenant, isBuilt, type Served, serve } from './support/served.ts';

const BODIES = 20_000;
const AT_ONCE = 16;

describe.skipIf(!isBuilt)('hostile bodies against the executable (needs dist/misstep: npm run build)', () => {
  let folder: string;
  let served: Served;
  let credentials: Credentials;
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'misstep-hostile-'));
    served = await serve(folder);
    credentials = await createTenant(served.url);
  });
  afterAll(async () => {
    agent.destroy();
    await served.end('SIGTERM');
    rmSync(folder, { recursive: true, force: true });
  });

  it(`${BODIES} mutated OTLP bodies: no 5xx, no hang, every answer well-formed`, async () => {
    const random = seededRandom(20_000);
    const json = readFileSync(join(import.meta.dirname, 'fixtures/otlp', SEED_FIXTURE));
    const seeds = { json, protobuf: Buffer.from(encodeOtlpProtobuf(decodeOtlpJson(json).spans)) };
    const statuses = new Map<number, number>();
    const errors: string[] = [];
    let sent = 0;
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (sent < BODIES) {
          sent += 1;
          const encoding = pick(random, ['json', 'protobuf'] as const);
          const path = pick(random, ['/v1/traces', `/api/v1/tenants/${credentials.tenantId}/traces/ingest`]);
          const answer = await post(path, mutateBytes(seeds[encoding], random), encoding);
          statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
          const error = errorIn(answer, path, encoding);
          if (error) errors.push(error);
        }
      }),
    );
    expect(errors.slice(0, 5)).toEqual([]);
    expect([...statuses.keys()].filter((status) => ![200, 202, 400, 422].includes(status))).toEqual([]);
    // Both outcomes must occur, otherwise the mutations test nothing.
    expect(statuses.get(400) ?? 0).toBeGreaterThan(BODIES / 100);
    expect((statuses.get(200) ?? 0) + (statuses.get(202) ?? 0)).toBeGreaterThan(BODIES / 100);
  }, 300_000);

  it('a 10 MB gzip bomb: 413, memory stays flat, and the server keeps running', async () => {
    const member = gzipSync(Buffer.alloc(1024 * 1024 * 1024));
    const bomb = Buffer.concat(Array.from({ length: 10 }, () => member));
    expect(bomb.length).toBeGreaterThan(10 * 1_000_000);
    const before = residentMb(served.child.pid as number);
    for (const path of ['/v1/traces', `/api/v1/tenants/${credentials.tenantId}/traces/ingest`]) {
      const answer = await post(path, bomb, 'json', 'gzip');
      expect(answer.status).toBe(413);
    }
    expect(residentMb(served.child.pid as number) - before).toBeLessThan(200);
    expect((await fetch(`${served.url}/health`)).status).toBe(200);
  }, 120_000);

  interface HttpReply {
    status: number;
    type: string;
    body: Buffer;
  }

  function post(path: string, body: Uint8Array, encoding: 'json' | 'protobuf', packing?: string): Promise<HttpReply> {
    return new Promise((done, fail) => {
      const headers = {
        'content-type': encoding === 'json' ? 'application/json' : 'application/x-protobuf',
        'x-svc-api-key': credentials.apiKey,
        ...(packing ? { 'content-encoding': packing } : {}),
      };
      const call = request(`${served.url}${path}`, { method: 'POST', agent, headers }, (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part) => parts.push(part));
        response.on('end', () =>
          done({
            status: response.statusCode ?? 0,
            type: response.headers['content-type'] ?? '',
            body: Buffer.concat(parts),
          }),
        );
        response.on('error', fail);
      });
      // A server that refuses early may close while the body is still being written.
      call.on('error', (error: NodeJS.ErrnoException) => (error.code === 'EPIPE' ? undefined : fail(error)));
      call.end(body);
    });
  }
});

const SEED_FIXTURE = 'js-sdk3.json';

function errorIn(
  answer: { status: number; type: string; body: Buffer },
  path: string,
  encoding: string,
): string | null {
  if (answer.status >= 500) return `${path} ${encoding}: ${answer.status} ${answer.body}`;
  const expected = expectedType(answer.status, path, encoding);
  if (!answer.type.startsWith(expected))
    return `${path} ${encoding} ${answer.status}: content type ${answer.type}, not ${expected}`;
  if (expected === 'application/x-protobuf') return null;
  try {
    const body = JSON.parse(answer.body.toString()) as { status?: number; code?: unknown };
    if (expected === 'application/problem+json' && body.status !== answer.status)
      return `problem without its status: ${answer.body}`;
    return null;
  } catch {
    return `${path} ${encoding} ${answer.status}: no JSON: ${answer.body.subarray(0, 100)}`;
  }
}

function expectedType(status: number, path: string, encoding: string): string {
  if (path === '/v1/traces') return encoding === 'json' ? 'application/json' : 'application/x-protobuf';
  return status < 300 ? 'application/json' : 'application/problem+json';
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
}
