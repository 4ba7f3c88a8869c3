import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeSpan } from '../../../test/support/make-span.ts';
import { openStoreApp, runSpans, type StoreApp, spanIdOf, traceIdOf } from '../../../test/support/store-app.ts';
import type { Attributes, Span } from '../../core/span.ts';
import { TENANT_TABLES } from '../../store/tenant.store.ts';
import type { TraceFilter } from '../../store/trace-list.store.ts';
import { encodeCursor } from '../_kit/cursor.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const TRACE = traceIdOf(1);
const NO_FILTER: TraceFilter = { agentId: null, status: null, from: null, to: null };
const first = { page: 1, pageSize: 200, cursor: null };
const list = (filter: Partial<TraceFilter> = {}, page = first) =>
  store.services.traces.list(tenantId, { ...NO_FILTER, ...filter }, page);
const numbersOf = async (filter: Partial<TraceFilter>) => {
  const { items, total } = await list(filter);
  expect(total).toBe(items.length);
  return items.map((item) => Number.parseInt(item.trace_id.slice(-4), 16));
};
const START = 1_768_478_400_000;
const minute = (number: number) => START + number * 60_000;
const startedAt = (number: number) => BigInt(minute(number)) * 1_000_000n;

describe('bookkeeping of a coding agent', () => {
  const own = (trace: number, span: number, isBookkeeping: boolean) =>
    makeSpan({
      traceId: traceIdOf(trace),
      spanId: spanIdOf(span),
      attributes: isBookkeeping ? { 'misstep.is_bookkeeping': true, 'misstep.step.kind': 'other' } : {},
    });

  it('is listed only on request, and not analyzed', async () => {
    await store.send(tenantId, [own(1, 1, true), own(1, 2, true), own(2, 1, true), own(2, 2, false), own(3, 1, false)]);
    expect((await numbersOf({ isRun: true })).sort()).toEqual([2, 3]);
    expect((await numbersOf({})).sort()).toEqual([1, 2, 3]);
    expect((await list()).items.find(({ trace_id }) => trace_id === traceIdOf(1))).toMatchObject({ status: 'ok' });
    const jobs = await store.db.selectFrom('jobs').select('key').where('kind', '=', 'settle').execute();
    expect(jobs.map(({ key }) => key)).not.toContain(traceIdOf(1));
  });

  it('becomes a run with its first other span', async () => {
    await store.send(tenantId, [own(1, 1, true)]);
    await store.send(tenantId, [own(1, 2, false)]);
    await store.send(tenantId, [own(1, 3, true)]);
    expect(await numbersOf({ isRun: true })).toEqual([1]);
  });
});

describe('the list', () => {
  it.each([1, 7, 199, 200])(
    'shows each of 500 traces of one start time once, by page and by cursor: %d a page',
    {
      timeout: 60_000,
    },
    async (pageSize) => {
      const isSmall = pageSize < 7;
      const count = isSmall ? 40 : 500;
      await store.send(
        tenantId,
        Array.from({ length: count }, (_, number) => makeSpan({ traceId: traceIdOf(number), spanId: spanIdOf(1) })),
      );
      const byPage: string[] = [];
      const byCursor: string[] = [];
      let cursor: string | null = null;
      for (let page = 1; ; page += 1) {
        const paged = await list({}, { page, pageSize, cursor: null });
        const next: typeof paged = await store.services.traces.list(tenantId, NO_FILTER, { page: 1, pageSize, cursor });
        byPage.push(...paged.items.map((item) => item.trace_id));
        byCursor.push(...next.items.map((item) => item.trace_id));
        expect([paged.total, next.total]).toEqual([count, count]);
        expect(paged.has_more).toBe(byPage.length < count);
        expect(next.has_more).toBe(paged.has_more);
        cursor = next.next_cursor;
        if (!next.has_more) break;
      }
      expect(cursor).toBeNull();
      expect(new Set(byPage).size).toBe(count);
      expect(byPage).toHaveLength(count);
      expect(byCursor).toEqual(byPage);
    },
  );

  it('is empty beyond its last page', async () => {
    await store.send(tenantId, runSpans(1));
    const beyond = await list({}, { page: 2, pageSize: 1, cursor: null });
    expect(beyond).toMatchObject({ items: [], total: 1, has_more: false, next_cursor: null });
  });

  it.each([
    ['no base64', '%%%'],
    ['no JSON', Buffer.from('{').toString('base64url')],
    ['another shape', Buffer.from('{"at":1}').toString('base64url')],
    ['other types', Buffer.from('["1",2]').toString('base64url')],
    ['null', Buffer.from('null').toString('base64url')],
    ['nothing', ''],
  ])('refuses a cursor it did not give out: %s', async (_name, cursor) => {
    const request = store.services.traces.list(tenantId, NO_FILTER, { page: 1, pageSize: 2, cursor });
    await expect(request).rejects.toMatchObject({ code: 'invalid_query', errors: [{ pointer: '?cursor' }] });
  });

  it('continues after a cursor whose trace was deleted', async () => {
    for (const number of [1, 2, 3]) await store.send(tenantId, runSpans(number, { startNs: startedAt(number) }));
    const cursor = encodeCursor({ at: minute(2) + 1, id: traceIdOf(9) });
    const page = await store.services.traces.list(tenantId, NO_FILTER, { page: 1, pageSize: 9, cursor });
    expect(page.items.map((item) => item.trace_id)).toEqual([traceIdOf(2), traceIdOf(1)]);
  });
});

describe('the filters', () => {
  beforeEach(async () => {
    for (const number of [1, 2, 3]) await store.send(tenantId, runSpans(number, { startNs: startedAt(number) }));
    const [, , , root] = runSpans(4, { startNs: startedAt(4) }) as [Span, Span, Span, Span];
    await store.send(tenantId, [{ ...root, status: { code: 2, message: 'broke' } }]);
    await store.send(tenantId, [{ ...runSpans(5, { startNs: startedAt(5) })[3], endNs: null } as Span]);
    await store.settle(30_000);
  });

  it.each<[string, Partial<TraceFilter>, number[]]>([
    ['none, newest first', {}, [5, 4, 3, 2, 1]],
    ['from, inclusive', { from: minute(4) }, [5, 4]],
    ['from, a millisecond later', { from: minute(4) + 1 }, [5]],
    ['to, exclusive', { to: minute(2) }, [1]],
    ['to, a millisecond later', { to: minute(2) + 1 }, [2, 1]],
    ['from and to', { from: minute(2), to: minute(4) }, [3, 2]],
    ['from and to, empty', { from: minute(2), to: minute(2) }, []],
    ['running', { status: 'running' }, [5]],
    ['ok', { status: 'ok' }, [3, 2, 1]],
    ['error', { status: 'error' }, [4]],
    ['agent', { agentId: 'writer' }, [3, 2, 1]],
    ['agent and date', { agentId: 'planner', from: minute(3) }, [3]],
    ['an unknown agent', { agentId: 'nobody' }, []],
    ['text of the name, whatever its case', { text: 'PART 0' }, [5, 4, 3, 2, 1]],
    ['text with characters of a pattern', { text: 'part%' }, []],
    ['text with the other sign', { text: 'part_0' }, []],
    ['text with the sign that escapes', { text: '\\' }, []],
    ['text that is SQL', { text: "' or 1=1 --" }, []],
    ['a framework', { framework: 'nothing' }, []],
    ['a severity', { severities: ['critical'] }, [4]],
    ['severities that no trace has', { severities: ['info', 'observation'] }, []],
    ['an agent that is SQL', { agentId: "' or 1=1 --" }, []],
  ])('%s', async (_name, filter, numbers) => {
    expect(await numbersOf(filter)).toEqual(numbers);
  });

  it('contain no data of other tenants', async () => {
    tenantId = await store.newTenant();
    for (const filter of [{}, { agentId: 'writer' }, { status: 'ok' }]) expect(await numbersOf(filter)).toEqual([]);
  });
});

describe('one trace', () => {
  const span = (number: number, parent: number | null, at: bigint, attributes: Attributes = {}): Span =>
    makeSpan({
      traceId: TRACE,
      spanId: spanIdOf(number),
      parentSpanId: parent === null ? null : spanIdOf(parent),
      name: `span ${number}`,
      startNs: 1_768_478_400_000_000_000n + at,
      endNs: 1_768_478_400_000_000_000n + at + 999_999_999n,
      attributes,
    });
  const state = (values: object) => ({
    'graphruntime.state': JSON.stringify(values),
    'graphruntime.thread_id': 'thread 1',
    'graphruntime.node.name': 'node',
  });

  it('has its spans in order of steps with times to the nanosecond', async () => {
    await store.send(tenantId, [span(3, 1, 30n), span(2, 1, 20n), span(1, null, 1n)]);
    const { spans } = await (await store.services.traces.get(tenantId, TRACE)).value();
    expect(spans.map((each) => [each.step?.index, each.name, each.start_time_unix_nano])).toEqual([
      [0, 'span 1', '1768478400000000001'],
      [1, 'span 2', '1768478400000000020'],
      [2, 'span 3', '1768478400000000030'],
    ]);
    expect(spans[0]).toMatchObject({ end_time_unix_nano: '1768478401000000000', duration_ms: 999.999 });
  });

  it('has its states in order, each once', async () => {
    await store.send(tenantId, [
      span(2, 1, 20n, state({ cart: 2 })),
      span(1, null, 1n),
      span(3, 1, 30n, state({ cart: 3, done: true })),
    ]);
    const trace = await (await store.services.traces.get(tenantId, TRACE)).value();
    expect(trace.states.map((each) => [each.sequence, each.span_id, each.state])).toEqual([
      [0, spanIdOf(2), { cart: 2 }],
      [1, spanIdOf(3), { cart: 3, done: true }],
    ]);
    expect((await (await store.services.traces.states(tenantId, TRACE)).value()).items).toEqual(trace.states);
    const spanId = trace.states.at(-1)!.span_id;
    const own = await (await store.services.traces.states(tenantId, TRACE, { spanId, from: 0, count: 10 })).value();
    expect(own.total).toBe(trace.states.length);
    expect(own.items).toEqual(trace.states.filter((state) => state.span_id === spanId));
    expect(own.items.length).toBeLessThan(own.total);
    expect((await (await store.services.traces.states(tenantId, TRACE, { spanId: 'none' })).value()).items).toEqual([]);
    await store.settle();
    expect(await (await store.services.traces.get(tenantId, TRACE)).value()).toMatchObject({ state_count: 2 });
  });

  it('has no duration if the start or the end is unknown', async () => {
    await store.send(tenantId, [
      { ...span(1, null, 0n), startNs: 0n },
      { ...span(2, 1, 0n), endNs: null },
    ]);
    const { spans } = await (await store.services.traces.get(tenantId, TRACE)).value();
    const facts = spans.map((each) => [each.span_id, each.duration_ms]).toSorted();
    expect(facts).toEqual([
      [spanIdOf(1), null],
      [spanIdOf(2), null],
    ]);
  });

  it.each([
    ['as sent', TRACE],
    ['in upper case', TRACE.toUpperCase()],
  ])('is found by its id %s', async (_name, id) => {
    await store.send(tenantId, [{ ...span(1, null, 1n), traceId: TRACE.toUpperCase() }]);
    expect((await (await store.services.traces.get(tenantId, id)).value()).trace_id).toBe(TRACE);
  });

  it.each([['an id that is no hex', 'Run-7', 'run-7']])('keeps the case of %s', async (_name, id, other) => {
    await store.send(tenantId, [{ ...span(1, null, 1n), traceId: id }]);
    expect((await (await store.services.traces.get(tenantId, id)).value()).trace_id).toBe(id);
    await expect(store.services.traces.get(tenantId, other)).rejects.toMatchObject({ code: 'not_found' });
  });

  it('is not found for another tenant', async () => {
    await store.send(tenantId, runSpans(1));
    const other = await store.newTenant();
    for (const ask of [store.services.traces.get, store.services.traces.states, store.services.traces.spans]) {
      await expect(ask(other, TRACE)).rejects.toMatchObject({ code: 'not_found' });
    }
  });

  it('has as many spans as the list says once it is analyzed', async () => {
    for (let number = 1; number <= 30; number += 1) await store.send(tenantId, [span(number, 0, BigInt(number))]);
    await store.send(tenantId, [span(0, null, 0n)]);
    await store.settle();
    const trace = await (await store.services.traces.get(tenantId, TRACE)).value();
    expect([trace.spans.length, trace.span_count, trace.analyzed]).toEqual([31, 31, true]);
  });
});

describe('a deleted tenant', () => {
  it('deletes all its rows and none of others', async () => {
    const other = await store.newTenant('other');
    for (const each of [tenantId, other]) await store.send(each, runSpans(1));
    await store.settle();
    await store.send(tenantId, runSpans(2));
    const rowsOf = async (table: (typeof TENANT_TABLES)[number]) =>
      (
        await store.db
          .selectFrom(table as 'traces')
          .select('tenant_no')
          .execute()
      ).map((row) => row.tenant_no);
    const before = new Map(await Promise.all(TENANT_TABLES.map(async (name) => [name, await rowsOf(name)] as const)));
    expect(before.get('span_chunks')?.toSorted()).toEqual([1, 1, 2]);
    for (const table of ['traces', 'jobs', 'agents', 'trace_agents', 'api_keys'] as const)
      expect(before.get(table)).toContain(1);
    await store.services.tenants.delete(tenantId);
    for (const table of TENANT_TABLES) {
      expect([table, await rowsOf(table)]).toEqual([table, before.get(table)?.filter((tenantNo) => tenantNo !== 1)]);
    }
    await expect(list()).rejects.toMatchObject({ code: 'not_found' });
    await expect(store.send(tenantId, runSpans(3))).rejects.toMatchObject({ code: 'not_found' });
  });
});
