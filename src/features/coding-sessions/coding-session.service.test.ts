import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { codingSessionSpans } from '../../../test/support/coding-session.ts';
import { openStoreApp, runSpans, type StoreApp } from '../../../test/support/store-app.ts';
import type { CodingSessionFilter } from './coding-session.service.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const DAY_MS = 86_400_000;
const START = Date.UTC(2026, 0, 15, 12);
const NO_FILTER: CodingSessionFilter = { agent: null, project: null, endedBy: null, since: null, until: null };
const first = { page: 1, pageSize: 50, cursor: null };
const list = (filter: Partial<CodingSessionFilter> = {}, page = first) =>
  store.services.codingSessions.list(tenantId, { ...NO_FILTER, ...filter }, page);

async function seed(): Promise<void> {
  await store.send(tenantId, codingSessionSpans({ sessionId: 'one', startMs: START }));
  await store.send(
    tenantId,
    codingSessionSpans({
      sessionId: 'two',
      startMs: START + DAY_MS,
      project: '/home/ana/site',
      endedBy: 'interrupted',
      model: 'model-without-price',
    }),
  );
  await store.send(tenantId, runSpans(1));
  await store.settle();
}

it('names in its trace the model calls whose usage is a lower bound', async () => {
  await store.send(tenantId, codingSessionSpans({ sessionId: 'one', startMs: START, isUsagePartial: true }));
  await store.send(tenantId, codingSessionSpans({ sessionId: 'two', startMs: START - DAY_MS }));
  await store.send(tenantId, runSpans(1, { startNs: BigInt(START - 2 * DAY_MS) * 1_000_000n }));
  await store.settle();
  const filter = { agentId: null, status: null, framework: null, from: null, to: null };
  const { items } = await store.services.traces.list(tenantId, filter as never, first);
  expect(items.map(({ partial_usage_calls }) => partial_usage_calls)).toEqual([1, 0, null]);
});

describe('the list of coding sessions', () => {
  it('has title, project, branch, end and figures; newest first; no other trace', async () => {
    await seed();
    const { items, total } = await list();
    expect(total).toBe(2);
    expect(items.map(({ session_id }) => session_id)).toEqual(['two', 'one']);
    expect(items[1]).toMatchObject({
      agent: 'claude-code',
      title: 'Tabs in the parser',
      project: '/home/ana/parser',
      branch: 'tabs',
      ended_by: 'completed',
      duration_ms: 60_000,
      refusals: 1,
      failures: 1,
      unpriced_models: [],
    });
    expect(items[1]!.cost_usd).toBeGreaterThan(0);
  });

  it('names a model without a price and has no cost for it', async () => {
    await seed();
    const { items } = await list({ project: '/home/ana/site' });
    expect(items).toMatchObject([{ session_id: 'two', cost_usd: null, unpriced_models: ['model-without-price'] }]);
  });

  it.each<[Partial<CodingSessionFilter>, string[]]>([
    [{ agent: 'claude-code' }, ['two', 'one']],
    [{ agent: 'codex' }, []],
    [{ project: '/home/ana/parser' }, ['one']],
    [{ endedBy: 'interrupted' }, ['two']],
    [{ since: START + 1 }, ['two']],
    [{ until: START + DAY_MS }, ['one']],
  ])('is filtered by %o', async (filter, ids) => {
    await seed();
    expect((await list(filter)).items.map(({ session_id }) => session_id)).toEqual(ids);
  });

  it('continues with a cursor', async () => {
    await seed();
    const page = await list({}, { ...first, pageSize: 1 });
    const { items } = await store.services.codingSessions.list(tenantId, NO_FILTER, {
      ...first,
      cursor: page.next_cursor,
    });
    expect(items.map(({ session_id }) => session_id)).toEqual(['one']);
  });
});

it('traces have the same fields and filters; a trace of another kind has none of them', async () => {
  await seed();
  const filter = { agentId: null, status: null, from: null, to: null };
  const { items } = await store.services.traces.list(
    tenantId,
    { ...filter, branch: 'tabs', endedBy: 'completed' },
    first,
  );
  expect(items).toMatchObject([
    { session_id: 'one', title: 'Tabs in the parser', project: '/home/ana/parser', ended_by: 'completed' },
  ]);
  const all = await store.services.traces.list(tenantId, filter, first);
  expect(all.items.filter(({ ended_by }) => ended_by === null)).toMatchObject([{ title: null, project: null }]);
});
