import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loopingRun } from '../../../test/support/looping-run.ts';
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
    ['analyzed again', () => store.services.analysis.analyzeTrace(tenantId, runSpans(1)[0]!.traceId), afterRuns(2)],
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

  it('omit an agent that its trace no longer names', async () => {
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

  it('lists the most recently seen agent first', async () => {
    await sendRuns(1);
    await store.settle();
    const agents = await store.services.agents.list(tenantId);
    expect(agents.map((agent) => agent.agent_id)).toEqual(['writer', 'planner']);
  });
});

describe('one agent', () => {
  const detail = async (agentId: string) => (await store.services.agents.get(tenantId, agentId, 30)).value();
  it('has its figures, its newest runs and what it caused', async () => {
    for (const number of [1, 2]) await store.send(tenantId, loopingRun(number));
    await sendRuns(3);
    await store.settle();
    const clerk = await detail('clerk');
    const [listed] = (await store.services.agents.list(tenantId)).filter(({ agent_id }) => agent_id === 'clerk');
    expect(clerk).toMatchObject({
      ...listed,
      trace_count: 2,
      recent: { runs: 2, errors: 0, running: 0, frameworks: expect.any(Array), models: [] },
    });
    expect(clerk.open_issues).toBeGreaterThan(0);
    expect((await detail('writer')).open_issues).toBe(0);
    const issues = await store.db.selectFrom('issues').select('issue_id').where('agent_id', '=', 'clerk').execute();
    expect(clerk.open_issues).toBe(issues.length);
    await store.db.updateTable('issues').set({ status: 'resolved' }).where('agent_id', '=', 'clerk').execute();
    expect((await detail('clerk')).open_issues).toBe(0);
    const filter = { detectionType: null, validated: null, confidenceMin: null, confidenceMax: null } as const;
    const { items } = await store.services.detections.list(
      tenantId,
      { ...filter, traceId: null, issueId: null, agentId: 'clerk', minSeverity: 'info', from: null, to: null },
      { page: 1, pageSize: 200, cursor: null },
    );
    expect(items.length).toBeGreaterThan(0);
    expect(clerk.detections.reduce((sum, { count }) => sum + count, 0)).toBe(items.length);
    expect(new Set(items.map(({ agent_id }) => agent_id))).toEqual(new Set(['clerk']));
    expect((await detail('writer')).detections).toEqual([]);
  });

  it.each(['nobody', '', 'Planner'])('does not exist for the name "%s"', async (name) => {
    await sendRuns(1);
    await store.settle();
    await expect(detail(name)).rejects.toMatchObject({ code: 'not_found' });
  });
});
