import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, spanIdOf, traceIdOf } from '../../../test/support/store-app.ts';
import type { Span } from '../../core/span.ts';
import type { TraceOrder } from '../../core/trace-order.ts';
import { countTenantJobs, scheduleJobs } from '../../store/job.store.ts';
import { inBatches } from '../../store/transaction.ts';
import { BATCH_DELAY_MS, RANK_JOB, scheduleRanking } from './schedule-ranking.ts';

const DAY_NS = 86_400_000_000_000n;
const START_NS = 1_768_478_400_000_000_000n;
const NO_FILTER = { agentId: null, status: null, from: null, to: null };

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

/** Runs of one traffic; the later ones begin a second later each. */
const calm = (count: number, from = 0, startNs = START_NS): Span[] =>
  Array.from({ length: count }, (_, n) => runSpans(from + n, { startNs: startNs + BigInt(n) * 1_000_000_000n })).flat();

/** The same run with a tool that fails again and again. */
function troubled(number: number): Span[] {
  const spans = runSpans(number);
  const tool = spans.find(({ attributes }) => attributes['gen_ai.operation.name'] === 'execute_tool')!;
  const failed = [10, 11, 12].map((id) => ({ ...tool, spanId: spanIdOf(id), status: { code: 2, message: 'Timeout' } }));
  return [...spans, ...(failed as Span[])];
}

const send = async (spans: Span[], to = tenantId) => {
  await store.send(to, spans);
  while ((await store.settle()) > 0);
};
async function rank(): Promise<number> {
  store.clock.advance(BATCH_DELAY_MS);
  return store.services.failureRanks.runDue(50);
}
const list = async (order?: TraceOrder, page = { page: 1, pageSize: 200, cursor: null as string | null }) =>
  store.services.traces.list(tenantId, NO_FILTER, page, order);
const rankOf = async (number: number) =>
  (await list()).items.find(({ trace_id }) => trace_id === traceIdOf(number))!.failure_rank;

describe('the failure rank of a stored trace', () => {
  it('is null for 29 runs, and there for all 30 once the thirtieth has come', async () => {
    await send(calm(29));
    expect(await rank()).toBe(0);
    expect((await list()).items.map(({ failure_rank }) => failure_rank)).toEqual(Array(29).fill(null));
    await send(troubled(29));
    expect(await rank()).toBe(1);
    expect(await rankOf(29)).toBeGreaterThan(0.95);
    const ranks = (await list()).items.map(({ failure_rank }) => failure_rank);
    expect(ranks).not.toContain(null);
    // Equal runs share the middle of their places: 14.5 of 30.
    expect(await rankOf(3)).toBe(0.48);
  });

  it('is at most 0.99', async () => {
    await send([...calm(149), ...troubled(149)]);
    await rank();
    expect(await rankOf(149)).toBe(0.99);
  });

  it('is of the trace, too', async () => {
    await send([...calm(29), ...troubled(29)]);
    await rank();
    const trace = await (await store.services.traces.get(tenantId, traceIdOf(29), { hasSpans: false })).value();
    expect(trace.failure_rank).toBe(await rankOf(29));
  });

  it('compares only runs of the same service, framework and agents', async () => {
    const renamed = (spans: Span[], service: string) =>
      spans.map((span) => ({ ...span, resource: { 'service.name': service } }));
    await send([...calm(25), ...renamed(calm(25, 25), 'other desk')]);
    expect(await rank()).toBe(0);
    expect((await list()).items.every(({ failure_rank }) => failure_rank === null)).toBe(true);
  });

  it('looks back thirty days from the newest run of the traffic', async () => {
    await send([...calm(29, 0, START_NS - 31n * DAY_NS), ...calm(29, 100, START_NS - 400n * DAY_NS)]);
    expect(await rank()).toBe(1);
    expect((await list()).items.every(({ failure_rank }) => failure_rank === null)).toBe(true);
    await send(calm(30, 200, START_NS - 370n * DAY_NS));
    await send(calm(29, 300, START_NS));
    await rank();
    expect(await rankOf(0)).toBeNull();
    await send(calm(1, 400, START_NS + 60_000_000_000n));
    await rank();
    expect(await rankOf(400)).toBe(0.5);
    expect([await rankOf(0), await rankOf(100), await rankOf(200)]).toEqual([null, null, null]);
  });

  it('waits for a run to settle, and is made again when later spans change it', async () => {
    await send(calm(40));
    await rank();
    const before = await rankOf(7);
    const late = troubled(7).filter(({ spanId }) => spanId >= spanIdOf(10));
    await send(late);
    expect(await rankOf(7)).toBeNull();
    expect(await rank()).toBe(1);
    expect(await rankOf(7)).toBeGreaterThan(before!);
  });

  it('gives no rank to a running run', async () => {
    await send(calm(30));
    await store.send(
      tenantId,
      runSpans(50).filter(({ parentSpanId }) => parentSpanId !== null),
    );
    await store.settle(31_000);
    await rank();
    expect(await rankOf(50)).toBeNull();
    expect(await rankOf(1)).toBe(0.5);
  });

  it('is computed once for a burst, and not without changes', async () => {
    for (let n = 0; n < 4; n += 1) await send(calm(20, n * 20));
    expect(await rank()).toBe(1);
    expect(await rank()).toBe(0);
    await store.services.analysis.reanalyze(tenantId, [traceIdOf(5)]);
    await store.settle();
    expect(await rank()).toBe(0);
  });

  it('covers every run of a burst that is longer than one job reads', async () => {
    await send(calm(1));
    const row = await store.db.selectFrom('traces').selectAll().executeTakeFirstOrThrow();
    const copies = Array.from({ length: 1_149 }, (_, n) => {
      return { ...row, trace_id: traceIdOf(n + 1), started_at: row.started_at + n };
    });
    for (const slice of inBatches(copies, 100)) await store.db.insertInto('traces').values(slice).execute();
    await scheduleRanking(store.db, row.tenant_no, [row], store.clock.now());
    let jobs = 0;
    for (let done = await rank(); done > 0; done = await store.services.failureRanks.runDue(1)) jobs += done;
    expect(jobs).toBe(2);
    const ranked = await store.db
      .selectFrom('traces')
      .select((select) => select.fn.countAll().as('count'))
      .where('rank_percent', '>=', 0)
      .executeTakeFirstOrThrow();
    expect(Number(ranked.count)).toBe(1_150);
  });

  it('is separate for each tenant and deleted with the tenant', async () => {
    const other = await store.newTenant('other');
    await send(calm(20));
    await send(calm(20), other);
    expect(await rank()).toBe(0);
    await send(calm(20, 20));
    await store.services.tenants.delete(tenantId);
    await rank();
    expect(store.problems).toEqual([]);
  });

  it('does not wait behind the many traffics of another tenant', async () => {
    await store.newTenant();
    const [busy, quiet] = [1, 2];
    const waiting = Array.from({ length: 200 }, (_, n) => ({ tenantNo: busy, kind: RANK_JOB, key: `t${n}`, runAt: 0 }));
    await scheduleJobs(store.db, [...waiting, { tenantNo: quiet, kind: RANK_JOB, key: 'q', runAt: 1 }]);
    // Both tenants may have five of the ten jobs.
    expect(await store.services.failureRanks.runDue(10)).toBe(6);
    expect(await countTenantJobs(store.db, quiet, RANK_JOB)).toBe(0);
    expect(await countTenantJobs(store.db, busy, RANK_JOB)).toBe(195);
  });

  it('is worked out at once by a command that waits for it', async () => {
    await send(calm(30));
    await store.services.failureRanks.runAllNow(tenantId);
    expect(await rankOf(0)).toBe(0.5);
    expect(await store.services.failureRanks.nextDueAt()).toBeNull();
  });
});

describe('the list in order of failure rank', () => {
  it.each([1, 7, 200])('shows ranked runs first and each once, by page and by cursor: %d a page', async (pageSize) => {
    await send([...calm(38), ...troubled(38), ...troubled(39)]);
    await rank();
    await send(calm(3, 50, START_NS + DAY_NS));
    const whole = (await list('failure_rank')).items;
    expect(whole).toHaveLength(43);
    const ranks = whole.map(({ failure_rank }) => failure_rank ?? -1);
    expect(ranks).toEqual(ranks.toSorted((one, other) => other - one));
    expect(ranks.slice(-3)).toEqual([-1, -1, -1]);
    expect(new Set(whole.slice(0, 2).map(({ trace_id }) => trace_id))).toEqual(new Set([traceIdOf(38), traceIdOf(39)]));
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<typeof list>> = await list('failure_rank', { page: 1, pageSize, cursor });
      ids.push(...page.items.map(({ trace_id }) => trace_id));
      cursor = page.next_cursor;
    } while (cursor !== null);
    expect(ids).toEqual(whole.map(({ trace_id }) => trace_id));
    const second = await list('failure_rank', { page: 2, pageSize: 7, cursor: null });
    expect(second.items.map(({ trace_id }) => trace_id)).toEqual(ids.slice(7, 14));
  });

  it('refuses the cursor of the other order', async () => {
    await send(calm(3));
    const page = { page: 1, pageSize: 1, cursor: null };
    const byStart = await list('started_at', page);
    const byRank = await list('failure_rank', page);
    for (const [order, cursor] of [
      ['failure_rank', byStart.next_cursor],
      ['started_at', byRank.next_cursor],
    ] as const)
      await expect(list(order, { ...page, cursor })).rejects.toMatchObject({ code: 'invalid_query' });
  });

  it('is read off an index', async () => {
    const plan = await sql<{ detail: string }>`
      explain query plan select * from traces where tenant_no = 1 and is_bookkeeping = 0
      order by rank_percent desc, started_at desc, trace_id desc limit 51`.execute(store.db);
    expect(plan.rows.map(({ detail }) => detail).join()).toMatch(/traces_by_rank/);
    expect(plan.rows.map(({ detail }) => detail).join()).not.toMatch(/TEMP B-TREE/);
  });
});
