import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp } from '../../../test/support/store-app.ts';

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  store = await openStoreApp();
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

const figures = async () =>
  (await store.services.agents.list(tenantId))
    .map(({ agent_id, step_count, tokens_used, avg_latency_ms }) => [agent_id, step_count, tokens_used, avg_latency_ms])
    .toSorted();
/** `planner` has two steps of a second each in every run, `writer` one. */
const afterRuns = (count: number, tokens = 10) => [
  ['planner', 2 * count, (tokens + 1) * count, 1_000],
  ['writer', count, (tokens + 1) * count, 1_000],
];
const sendRuns = async (...numbers: number[]) => {
  for (const number of numbers) await store.send(tenantId, runSpans(number));
};

describe('the figures of agents', () => {
  it('are the sums over their traces', async () => {
    await sendRuns(1, 2, 3);
    await store.settle();
    expect(await figures()).toEqual(afterRuns(3));
  });

  it('come with the analysis', async () => {
    await sendRuns(1);
    expect(await figures()).toEqual([]);
  });

  it.each<[string, () => Promise<unknown>, (string | number)[][]]>([
    ['analysed again', () => store.services.analysis.analyzeTrace(tenantId, runSpans(1)[0]!.traceId), afterRuns(2)],
    ['sent again', () => sendRuns(1), afterRuns(2)],
    ['sent again in part', () => store.send(tenantId, runSpans(1).slice(1)), afterRuns(2)],
    [
      'sent again with other figures',
      () => store.send(tenantId, runSpans(1, { tokens: 100 })),
      [
        ['planner', 4, 112, 1_000],
        ['writer', 2, 112, 1_000],
      ],
    ],
  ])('stay the sums when a trace is %s', async (_name, act, expected) => {
    await sendRuns(1, 2);
    await store.settle();
    await act();
    await store.settle();
    expect(await figures()).toEqual(expected);
  });

  it('forget an agent that its trace no longer names', async () => {
    await sendRuns(1);
    await store.settle();
    const renamed = runSpans(1).map((span) => ({
      ...span,
      attributes: span.attributes['gen_ai.agent.name'] === 'writer' ? {} : span.attributes,
    }));
    await store.send(tenantId, renamed);
    await store.settle();
    expect(await figures()).toEqual([['planner', 2, 11, 1_000]]);
  });

  it('belong to one tenant', async () => {
    await sendRuns(1);
    const other = await store.newTenant();
    await store.send(other, runSpans(1));
    await store.settle();
    expect(await figures()).toEqual(afterRuns(1));
    expect(await store.services.agents.list(other)).toHaveLength(2);
  });
});

describe('the status of an agent', () => {
  const FIVE_MINUTES = 5 * 60_000;
  const DAY = 24 * 3_600_000;
  it.each([
    ['active', 2_000],
    ['active', FIVE_MINUTES - 1],
    ['idle', FIVE_MINUTES],
    ['idle', DAY - 1],
    ['inactive', DAY],
  ])('is %s %d ms after it was seen last', async (status, ageMs) => {
    const endMs = store.clock.now();
    await store.send(tenantId, runSpans(1, { startNs: BigInt(endMs - 4_000) * 1_000_000n }));
    await store.settle();
    store.clock.advance(ageMs - 2_000);
    const writer = (await store.services.agents.list(tenantId)).find((agent) => agent.agent_id === 'writer');
    expect(writer).toMatchObject({ last_active_at: new Date(endMs).toISOString(), status });
  });

  it('lists who was seen last first', async () => {
    await sendRuns(1);
    await store.settle();
    const agents = await store.services.agents.list(tenantId);
    expect(agents.map((agent) => agent.agent_id)).toEqual(['writer', 'planner']);
  });
});
