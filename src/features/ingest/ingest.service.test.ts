import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { CompiledQuery } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import {
  openStoreApp,
  runSpans,
  type StoreApp,
  spanIdOf,
  toRequest,
  traceIdOf,
} from '../../../test/support/store-app.ts';
import type { Span } from '../../core/span.ts';
import { encodeOtlpProtobuf } from '../../formats/otlp/encode-protobuf.ts';
import { createRedactor } from '../../formats/redaction/redactor.ts';
import { openSqlite } from '../../store/dialect.ts';
import { createIngestService, type IngestOptions } from './ingest.service.ts';
import { createInThreadPrepare } from './prepare-executor.ts';

let store: StoreApp;
let tenantId: string;
let monotonicMs = 0;
beforeEach(async () => {
  store = await openStoreApp({ dependencies: { monotonicMs: () => monotonicMs } });
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const TRACE = traceIdOf(1);
const send = (...spans: Span[]) => store.send(tenantId, spans);
const stored = (traceId = TRACE) => store.services.traces.spans(tenantId, traceId);
const summary = async (traceId = TRACE) => {
  const { items } = await store.services.traces.list(tenantId, NO_FILTER, { page: 1, pageSize: 200, cursor: null });
  return items.find((item) => item.trace_id === traceId);
};
const NO_FILTER = { agentId: null, status: null, from: null, to: null };
const chunkCount = async () => (await store.db.selectFrom('span_chunks').select('sequence').execute()).length;
const part = (number: number, name: string, overrides: Partial<Span> = {}) =>
  makeSpan({
    traceId: TRACE,
    spanId: spanIdOf(number),
    parentSpanId: number === 0 ? null : spanIdOf(0),
    name,
    ...overrides,
  });
const unreadable = { traceId: '', spanId: '', name: 'no ids' };
const bodyOf = (...spans: object[]) => ({
  encoding: 'json' as const,
  body: Buffer.from(JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] })),
});
const raw = (number: number) => ({
  traceId: TRACE,
  spanId: spanIdOf(number),
  name: 'raw',
  startTimeUnixNano: '1',
  endTimeUnixNano: '2',
});

describe('the reply', () => {
  it.each([
    ['nothing sent', [], { acceptedSpans: 0, rejectedSpans: 0, traceIds: [] }],
    ['all taken', [raw(1), raw(2)], { acceptedSpans: 2, rejectedSpans: 0, traceIds: [TRACE] }],
    [
      'a rejected body does not affect the others',
      [raw(1), unreadable],
      { acceptedSpans: 1, rejectedSpans: 1, traceIds: [TRACE] },
    ],
    ['all refused', [unreadable, unreadable], { acceptedSpans: 0, rejectedSpans: 2, traceIds: [] }],
    [
      'several traces in order of appearance',
      [{ ...raw(1), traceId: traceIdOf(9) }, raw(1), { ...raw(2), traceId: traceIdOf(9) }],
      { acceptedSpans: 3, rejectedSpans: 0, traceIds: [traceIdOf(9), TRACE] },
    ],
  ])('counts: %s', async (_name, spans, reply) => {
    expect(await store.services.ingest.ingest(tenantId, bodyOf(...spans))).toMatchObject(reply);
    for (const traceId of reply.traceIds) expect(await stored(traceId)).not.toEqual([]);
  });

  it('lists the positions of rejected records, at most one hundred', async () => {
    const spans = Array.from({ length: 130 }, () => unreadable);
    const reply = await store.services.ingest.ingest(tenantId, bodyOf(raw(1), ...spans));
    expect(reply.rejectedSpans).toBe(130);
    expect(reply.errors).toHaveLength(100);
    expect(reply.errors[0]?.pointer).toMatch(/^\/resourceSpans\/0\/scopeSpans\/0\/spans\/1/);
  });

  it('is the same for protobuf, to the nanosecond', async () => {
    const spans = runSpans(1, { startNs: 1_768_478_400_123_456_789n });
    const body = encodeOtlpProtobuf(spans);
    const reply = await store.services.ingest.ingest(tenantId, { encoding: 'protobuf', body });
    expect(reply).toMatchObject({ acceptedSpans: 4, rejectedSpans: 0 });
    expect((await stored()).map((span) => span.startNs)).toEqual(spans.map((span) => span.startNs));
  });

  it.each([
    ['no JSON', 'json', '{', 'malformed'],
    ['no request', 'json', '[]', 'invalid_body'],
    ['no protobuf', 'protobuf', '\u0007\u0007\u0007', 'malformed'],
  ] as const)('is an error for %s, and nothing is stored', async (_name, encoding, text, code) => {
    const request = { encoding, body: Buffer.from(text) };
    await expect(store.services.ingest.ingest(tenantId, request)).rejects.toMatchObject({ code });
    expect(await chunkCount()).toBe(0);
  });
});

describe('spans sent again', () => {
  it('are stored once if nothing changed', async () => {
    const first = await send(...runSpans(1));
    const again = await send(...runSpans(1));
    expect(again).toEqual(first);
    expect(await chunkCount()).toBe(1);
    expect(await summary()).toMatchObject({ span_count: 4 });
  });

  it('are stored once when both requests share a commit', async () => {
    await Promise.all([send(...runSpans(1)), send(...runSpans(1))]);
    expect(await chunkCount()).toBe(1);
    expect(await summary()).toMatchObject({ span_count: 4 });
  });

  it('are counted exactly after the analysis when only a part came again', async () => {
    const [one, two, three, root] = runSpans(1) as [Span, Span, Span, Span];
    await send(one, two);
    await send(two, three, root);
    expect(await store.settle()).toBe(1);
    expect(await summary()).toMatchObject({ span_count: 4, analyzed: true });
    expect(await stored()).toHaveLength(4);
    expect(await chunkCount()).toBe(1);
  });

  it('are counted exactly after the analysis when they come again after an analysis', async () => {
    const spans = runSpans(1);
    await send(...spans.slice(0, 2));
    await send(...spans.slice(2));
    await store.settle();
    await send(...runSpans(1).slice(0, 2));
    await store.settle();
    expect(await summary()).toMatchObject({ span_count: 4, analyzed: true });
    expect(await chunkCount()).toBe(1);
  });

  it.each([
    ['A, B', ['A', 'B'], 'B'],
    ['A, B, A', ['A', 'B', 'A'], 'A'],
    ['A, B, A, B', ['A', 'B', 'A', 'B'], 'B'],
    ['A, A, B, C, A', ['A', 'A', 'B', 'C', 'A'], 'A'],
  ])('with other content count by the last word: %s', async (_name, names, last) => {
    for (const name of names) await send(part(0, name));
    expect((await stored()).map((span) => span.name)).toEqual([last]);
    await store.settle();
    expect((await stored()).map((span) => span.name)).toEqual([last]);
    expect(await summary()).toMatchObject({ name: last, span_count: 1 });
  });

  it.each([
    ['A, B', ['A', 'B'], 'B'],
    ['A, B, A', ['A', 'B', 'A'], 'A'],
  ])('with an analysis after each count by the last word: %s', async (_name, names, last) => {
    for (const name of names) {
      await send(part(0, name));
      await store.settle();
    }
    expect((await stored()).map((span) => span.name)).toEqual([last]);
    expect(await chunkCount()).toBe(1);
  });

  it('count by the last word within one request and within one commit', async () => {
    await Promise.all([send(part(0, 'A'), part(0, 'B')), send(part(0, 'C'))]);
    expect((await stored()).map((span) => span.name)).toEqual(['C']);
  });

  it('use the last record after a restart, even if the clock went back', async () => {
    await send(part(0, 'A'));
    store.clock.advance(-3_600_000);
    const second = await store.openSecond();
    try {
      await second.services.ingest.ingest(tenantId, toRequest([part(0, 'B')]));
    } finally {
      await second.close();
    }
    expect((await stored()).map((span) => span.name)).toEqual(['B']);
  });
});

describe('a trace in pieces', () => {
  const [one, two, three, root] = runSpans(1) as [Span, Span, Span, Span];
  it.each([
    ['root last', [[one], [two, three], [root]]],
    ['root first', [[root], [one, two, three]]],
    ['out of order', [[three], [root], [two], [one]]],
    ['all at once', [[one, two, three, root]]],
  ])('becomes one: %s', async (_name, batches) => {
    for (const batch of batches) await send(...batch);
    await store.settle();
    expect(await summary()).toMatchObject({
      name: 'part 0',
      service_name: 'desk',
      span_count: 4,
      started_at: '2026-01-15T12:00:00.000Z',
      ended_at: '2026-01-15T12:00:04.000Z',
      duration_ms: 4_000,
      status: 'ok',
    });
    expect((await stored()).map((span) => span.spanId).sort()).toEqual([0, 1, 2, 3].map(spanIdOf));
  });

  it('is named and timed before its analysis, too', async () => {
    await send(three);
    expect(await summary()).toMatchObject({ name: 'part 3', status: 'running', ended_at: '2026-01-15T12:00:04.000Z' });
    await send(root);
    await send(one);
    expect(await summary()).toMatchObject({ name: 'part 0', started_at: '2026-01-15T12:00:00.000Z', analyzed: false });
  });

  it('is in the list even without a known time', async () => {
    await send(part(0, 'timeless', { startNs: 0n, endNs: null }));
    expect(await summary()).toMatchObject({ started_at: new Date(store.clock.now()).toISOString(), ended_at: null });
  });
});

describe('a request that may count only once', () => {
  const decoded = () => ({ spans: runSpans(1), rejections: [] });

  it('stores its spans once, however often it is repeated', async () => {
    const first = await store.services.ingest.ingestSpans(tenantId, decoded(), { onceKey: 'file 1' });
    await store.db.deleteFrom('span_chunks').execute();
    const again = await store.services.ingest.ingestSpans(tenantId, decoded(), { onceKey: 'file 1' });
    expect([first.isDuplicate, again.isDuplicate]).toEqual([false, true]);
    expect(await chunkCount()).toBe(0);
  });

  it('wins once when many try at the same time', async () => {
    const tries = Array.from({ length: 8 }, () =>
      store.services.ingest.ingestSpans(tenantId, decoded(), { onceKey: 'file 1' }),
    );
    const replies = await Promise.all(tries);
    expect(replies.filter((reply) => !reply.isDuplicate)).toHaveLength(1);
    expect(await summary()).toMatchObject({ span_count: 4 });
  });

  it('leaves no key behind when its spans cannot be stored', async () => {
    await store.db.schema.alterTable('span_chunks').renameTo('away').execute();
    const attempt = () => store.services.ingest.ingestSpans(tenantId, decoded(), { onceKey: 'file 1' });
    await expect(attempt()).rejects.toMatchObject({ code: 'unavailable' });
    await store.db.schema
      .alterTable('away' as 'span_chunks')
      .renameTo('span_chunks')
      .execute();
    expect(await attempt()).toMatchObject({ isDuplicate: false });
    expect(await stored()).toHaveLength(4);
  });
});

describe('tenants', () => {
  it('may have the same trace id without knowing of each other', async () => {
    const other = await store.newTenant('other');
    await send(part(0, 'mine'), part(1, 'mine too'));
    await store.send(other, [part(0, 'theirs')]);
    await store.settle();
    expect((await stored()).map((span) => span.name)).toEqual(['mine', 'mine too']);
    expect((await store.services.traces.spans(other, TRACE)).map((span) => span.name)).toEqual(['theirs']);
    expect((await (await store.services.traces.get(other, TRACE)).value()).span_count).toBe(1);
  });

  it.each(['ten_nobody', ''])('that do not exist are not found: %j', async (nobody) => {
    await expect(store.send(nobody, runSpans(1))).rejects.toMatchObject({ code: 'not_found' });
    expect(await chunkCount()).toBe(0);
  });
});

describe('a store that cannot store', () => {
  const REDACTION = { secrets: true, personalData: false, salt: 'salt' };
  const serviceOver = async (options: Partial<IngestOptions>) =>
    createIngestService({
      db: store.db,
      clock: store.clock,
      redactor: createRedactor(REDACTION),
      prepare: createInThreadPrepare(REDACTION),
      tenantNoOf: async () => 1,
      onTracesChanged: () => {},
      ...options,
    });

  it('is unavailable when the file may only be read', async () => {
    const readOnly = openSqlite({ file: store.file, durability: 'normal', isReadOnly: true });
    try {
      const service = await serviceOver({ db: readOnly.db });
      const refusal = { code: 'storage_unavailable', retryAfterSeconds: expect.any(Number) };
      await expect(service.ingest(tenantId, toRequest(runSpans(1)))).rejects.toMatchObject(refusal);
      const decoded = { spans: runSpans(1), rejections: [] };
      await expect(service.ingestSpans(tenantId, decoded, { onceKey: 'k' })).rejects.toMatchObject(refusal);
      expect(service.queueDepth()).toBe(0);
    } finally {
      await readOnly.close();
    }
  });

  it('is unavailable when the disk is full, and accepts work when space is free again', async () => {
    const pages = await store.db.executeQuery(CompiledQuery.raw('pragma page_count'));
    await store.db.executeQuery(
      CompiledQuery.raw(`pragma max_page_count = ${(pages.rows[0] as { page_count: number }).page_count}`),
    );
    const large = runSpans(1).map((span) => ({ ...span, attributes: { noise: randomBytes(100_000).toString('hex') } }));
    await expect(send(...large)).rejects.toMatchObject({ code: 'storage_unavailable' });
    expect(await chunkCount()).toBe(0);
    await store.db.executeQuery(CompiledQuery.raw('pragma max_page_count = 1000000'));
    // The next attempt to write is due after a second.
    monotonicMs += 1_000;
    await store.services.storage.maintain();
    expect(await send(...large)).toMatchObject({ acceptedSpans: 4 });
    expect(await stored()).toHaveLength(4);
  });

  it('is unavailable when it is closed', async () => {
    await store.app.store.close();
    await expect(send(...runSpans(1))).rejects.toMatchObject({ code: 'unavailable' });
  });

  it('refuses at once when too much waits, and stores what it had taken', async () => {
    const timers: (() => void)[] = [];
    const timer = { after: (_ms: number, run: () => void) => void timers.push(run), now: () => 0 };
    const service = await serviceOver({ maxQueuedSpans: 4, timer });
    const first = service.ingest(tenantId, toRequest(runSpans(1)));
    while (timers.length === 0) await new Promise(setImmediate);
    expect(service.queueDepth()).toBe(4);
    await expect(service.ingest(tenantId, toRequest(runSpans(2)))).rejects.toMatchObject({
      code: 'backpressure',
      retryAfterSeconds: expect.any(Number),
    });
    timers[0]?.();
    expect(await first).toMatchObject({ acceptedSpans: 4 });
    expect(service.queueDepth()).toBe(0);
    expect(await chunkCount()).toBe(1);
  });

  it('answers only after the commit', async () => {
    const timers: (() => void)[] = [];
    const timer = { after: (_ms: number, run: () => void) => void timers.push(run), now: () => 0 };
    const service = await serviceOver({ timer });
    let isAnswered = false;
    const answer = service.ingest(tenantId, toRequest(runSpans(1))).then(() => {
      isAnswered = true;
    });
    while (timers.length === 0) await new Promise(setImmediate);
    expect([isAnswered, await chunkCount()]).toEqual([false, 0]);
    timers[0]?.();
    await answer;
    expect(await chunkCount()).toBe(1);
  });
});

describe('redaction', () => {
  const SECRET = `sk-proj-${'Zk3vQ9tLmX7bN2cR'.repeat(2)}`;

  it('happens before anything reaches the disk', async () => {
    const leaky = part(0, `called with ${SECRET}`, {
      status: { code: 2, message: `refused ${SECRET}` },
      attributes: { 'http.request.header.authorization': `Bearer ${SECRET}`, note: `the key is ${SECRET}` },
      events: [{ name: 'said', timeNs: 1n, attributes: { text: SECRET } }],
      resource: { 'service.name': SECRET },
    });
    await send(leaky);
    await store.settle();
    const [span] = await stored();
    const shown = JSON.stringify({ ...span, startNs: null, endNs: null, events: span?.events[0]?.attributes });
    expect(shown).not.toContain(SECRET);
    expect(span?.attributes.note).toMatch(/^the key is \[redacted:[a-z_]+:[0-9a-f]{4}\]$/);
    for (const file of [store.file, `${store.file}-wal`]) {
      expect(readFileSync(file).includes(SECRET)).toBe(false);
    }
    expect(JSON.stringify(await summary())).not.toContain(SECRET);
  });

  it('would be seen missing: what is no secret is found in the bytes', async () => {
    await send(part(0, 'an ordinary name'));
    const bytes = Buffer.concat([readFileSync(store.file), readFileSync(`${store.file}-wal`)]);
    expect(bytes.includes('an ordinary name')).toBe(true);
  });
});
