import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, describe, expect, it } from 'vitest';
import { runSpans, toRequest } from '../../test/support/store-app.ts';
import { workerEntry } from '../app/runtime-assets.ts';
import type { Integration } from '../core/integration.ts';
import type { Span } from '../core/span.ts';
import { conversationTurns } from '../features/conversations/conversation.decoder.ts';
import { langfuseEvents } from '../features/ingest/langfuse-decoder.ts';
import { langSmithRuns } from '../features/ingest/langsmith-decoder.ts';
import { otlpTraces } from '../features/ingest/otlp-decoder.ts';
import type { BodyDecoder, PreparedBody } from '../features/ingest/prepare.ts';
import { createInThreadPrepare, type PrepareExecutor } from '../features/ingest/prepare-executor.ts';
import { chunksOf } from '../features/ingest/prepared-batch.ts';
import { ingestDecoders } from '../features/ingest-decoders.ts';
import { platformRuns } from '../features/integrations/platform-runs.decoder.ts';
import { integrationSources } from '../features/platforms.ts';
import { createIngestPool, type IngestPoolOptions } from './ingest-pool.ts';

const FIXTURES = join(import.meta.dirname, '../../test/fixtures/otlp');
const REDACTION = { secrets: true, personalData: true, salt: 'salt' };
const NOW = 1_790_000_000_000;

const WEBHOOKS: readonly [Integration, string][] = [
  ...['agent-with-tool', 'error-notice', 'failing-page', 'last-node-report', 'waiting-with-branches'].map(
    (name) => ['flowplatform', `n8n/${name}.json`] as [Integration, string],
  ),
  ...['chat-flow', 'failing-iteration', 'logs-page'].map(
    (name) => ['llmapps', `dify/${name}.json`] as [Integration, string],
  ),
  ['graphruntime', 'langgraph-server/floor-plan.webhook.json'],
  ['agentsession', 'openclaw/session-tables.json'],
  ['agentsession', 'openclaw/transcript-lines.json'],
];

let pool: PrepareExecutor;
afterEach(() => pool.close());
const openPool = (options: Partial<IngestPoolOptions> = {}) => {
  pool = createIngestPool({ size: 1, entry: workerEntry(), redaction: REDACTION, timeoutMs: 30_000, ...options });
  return pool;
};
const codeOf = (behavior: string) => ({
  code: `const { parentPort } = require('node:worker_threads');
    parentPort.on('message', () => { ${behavior} });
    parentPort.postMessage('ready');`,
});
const prepareTraces = (executor: PrepareExecutor, body: Buffer, encoding: 'json' | 'protobuf' = 'json') =>
  executor.prepare(otlpTraces, { tenantNo: 1, body, params: { encoding }, now: NOW });
/** What would be committed, independent of its form until then. */
const contentOf = (prepared: PreparedBody) => ({
  ...prepared,
  batches: prepared.batches.map((batch) => ({
    ...batch,
    content: chunksOf(batch).map(({ chunk, ...rest }) => ({
      ...rest,
      spanCount: chunk.spanCount,
      data: Buffer.from(chunk.data).toString('base64'),
      contentHash: Buffer.from(chunk.contentHash).toString('base64'),
    })),
  })),
});
/** Too large for the receiving thread, with unchanged meaning. */
const padded = (body: Buffer) => Buffer.concat([body, Buffer.alloc(200_000, ' ')]);
/** An unknown field of protobuf, which is skipped: number 15, 262,144 bytes. */
const paddedProtobuf = (body: Buffer) =>
  Buffer.concat([body, Buffer.of(0x7a, 0x80, 0x80, 0x10), Buffer.alloc(262_144, 1)]);
const manyTraces = (count: number): Span[] => Array.from({ length: count }, (_, at) => runSpans(at + 1)[0] as Span);

describe('bodies', { timeout: 60_000 }, () => {
  it.each(readdirSync(FIXTURES).filter((name) => !name.endsWith('.expected.json')))(
    'decode on a worker as on the calling thread: %s',
    async (file) => {
      const bytes = readFileSync(join(FIXTURES, file));
      const body = file.endsWith('.gz') ? gunzipSync(bytes) : bytes;
      const isProtobuf = file.endsWith('.pb');
      const sent = isProtobuf ? paddedProtobuf(body) : padded(body);
      const encoding = isProtobuf ? 'protobuf' : 'json';
      const onCaller = await prepareTraces(createInThreadPrepare(REDACTION), Buffer.from(sent), encoding);
      const onWorker = await prepareTraces(openPool(), sent, encoding);
      expect(sent.length).toBe(0);
      expect(onWorker.batches.every(({ content }) => content instanceof ArrayBuffer)).toBe(true);
      expect(contentOf(onWorker)).toEqual(contentOf(onCaller));
    },
  );

  it('of webhooks of every platform decode on a worker as on the calling thread', async () => {
    openPool();
    for (const [integration, file] of WEBHOOKS) {
      const decoder = platformRuns(integrationSources.find((source) => source.integration === integration)!);
      const sent = padded(readFileSync(join(FIXTURES, '..', file)));
      const request = { tenantNo: 1, params: { receivedAtMs: NOW }, now: NOW };
      const onCaller = await createInThreadPrepare(REDACTION).prepare(decoder, { ...request, body: Buffer.from(sent) });
      const onWorker = await pool.prepare(decoder, { ...request, body: sent });
      expect(onWorker.batches[0]?.content, file).toBeInstanceOf(ArrayBuffer);
      expect(contentOf(onWorker), file).toEqual(contentOf(onCaller));
      expect(onWorker.facts.runs.map(({ traceId }) => traceId)).toEqual(onWorker.traceIds);
      expect(onWorker.facts.ended.length, file).toBe(integration === 'graphruntime' ? 1 : 0);
    }
  });

  it('of conversations decode on a worker as on the calling thread', async () => {
    const turns = Array.from({ length: 1_000 }, (_, at) => ({
      role: at % 2 === 0 ? 'user' : 'assistant',
      content: `${at}`,
    }));
    const body = Buffer.from(JSON.stringify({ format: 'generic', data: { turns: [...turns, 1] } }));
    const request = { tenantNo: 1, params: { receivedAtMs: NOW }, now: NOW };
    const onCaller = await createInThreadPrepare(REDACTION).prepare(conversationTurns, {
      ...request,
      body: Buffer.from(body),
    });
    const onWorker = await openPool().prepare(conversationTurns, { ...request, body });
    expect(onWorker).toMatchObject({
      acceptedSpans: 1_000,
      rejectedSpans: 1,
      errors: [{ pointer: '/data/turns/1000' }],
    });
    expect(onWorker.batches[0]?.content).toBeInstanceOf(ArrayBuffer);
    expect(contentOf(onWorker)).toEqual(contentOf(onCaller));
  });

  it('of few bytes with many values go to a worker', async () => {
    const decoder = platformRuns(integrationSources.find(({ integration }) => integration === 'agentsession')!);
    const value = JSON.parse(readFileSync(join(FIXTURES, '../openclaw/session-tables.json'), 'utf8'));
    const body = Buffer.from(JSON.stringify({ ...value, more: Array(5_000).fill(1) }));
    expect(body.length).toBeLessThan(64_000);
    const { batches } = await openPool().prepare(decoder, {
      tenantNo: 1,
      body,
      params: { receivedAtMs: NOW },
      now: NOW,
    });
    expect(batches[0]?.content).toBeInstanceOf(ArrayBuffer);
  });

  it.each<[string, BodyDecoder<never, unknown>, unknown, object]>([
    ['LangSmith', langSmithRuns, { kind: 'batch' }, { post: [{ id: 'r', start_time: 1_790_000_000_000 }] }],
    [
      'Langfuse',
      langfuseEvents,
      null,
      { batch: [{ id: 'e', type: 'trace-create', timestamp: '2026-03-01T10:00:00Z', body: { id: 't' } }] },
    ],
  ])('of %s with many values go to a worker', async (_name, decoder, params, batch) => {
    const body = (values: number) => Buffer.from(JSON.stringify({ ...batch, more: Array(values).fill(1) }));
    const request = (values: number) => ({ tenantNo: 1, body: body(values), params: params as never, now: NOW });
    const small = await openPool().prepare(decoder, request(1_000));
    const large = await pool.prepare(decoder, request(5_000));
    expect(small.batches[0]?.content).not.toBeInstanceOf(ArrayBuffer);
    expect(large.batches[0]?.content).toBeInstanceOf(ArrayBuffer);
  });

  it.each<[string, Buffer, boolean]>([
    ['a small body is decoded on this thread', toRequest(runSpans(1)).body, false],
    ['a large body is decoded on a worker', padded(toRequest(runSpans(1)).body), true],
    ['a small body of many traces is decoded on a worker', Buffer.from(smallestTraces(60)), true],
  ])('%s', async (_name, body, isOnWorker) => {
    expect(body.length > 200_000).toBe(_name.startsWith('a large'));
    const { batches } = await prepareTraces(openPool(), body);
    expect(batches[0]?.content instanceof ArrayBuffer).toBe(isOnWorker);
  });

  it('splits many traces into batches that are quick to write', async () => {
    const { batches, acceptedSpans, traceIds } = await prepareTraces(openPool(), toRequest(manyTraces(1_000)).body);
    expect([acceptedSpans, traceIds.length]).toEqual([1_000, 1_000]);
    expect(batches.length).toBeGreaterThanOrEqual(16);
    expect(Math.max(...batches.map(({ weight }) => weight))).toBeLessThanOrEqual(64);
  });

  it('returns the errors of the decoder', async () => {
    await expect(prepareTraces(openPool(), padded(Buffer.from('{')))).rejects.toMatchObject({ code: 'malformed' });
    await expect(prepareTraces(pool, padded(Buffer.from('[]')))).rejects.toMatchObject({
      code: 'invalid_body',
      errors: [{ pointer: '', message: expect.any(String) }],
    });
  });

  it.each([
    ['ends its worker', 'process.exit(3)', 30_000],
    ['takes too long', 'for (;;);', 300],
  ])('rejects a body that %s, and decodes the next', async (_name, behavior, timeoutMs) => {
    openPool({ entry: codeOf(behavior), timeoutMs });
    const body = () => padded(toRequest(runSpans(1)).body);
    await expect(prepareTraces(pool, body())).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(prepareTraces(pool, body())).rejects.toMatchObject({ code: 'payload_too_large' });
    await expect(prepareTraces(pool, toRequest(runSpans(1)).body)).resolves.toMatchObject({ acceptedSpans: 4 });
  });

  it('answers with a retry time if no worker can start', async () => {
    openPool({ entry: { code: 'throw new Error("EMFILE")' } });
    await expect(prepareTraces(pool, padded(toRequest(runSpans(1)).body))).rejects.toMatchObject({
      code: 'unavailable',
      retryAfterSeconds: expect.any(Number),
    });
  });

  it('decoder names are unique', () => {
    openPool();
    const names = ingestDecoders.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });
});

function smallestTraces(count: number): string {
  const spans = Array.from({ length: count }, (_, at) => ({
    traceId: (at + 1).toString(16).padStart(32, '0'),
    spanId: 'a'.repeat(16),
    startTimeUnixNano: '1',
  }));
  return JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] });
}
