import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { makeDetection } from '../../../test/support/stored-detection.ts';
import type { Detection } from '../../core/detection.ts';
import { SEVERITIES } from '../../core/severity.ts';
import { createModelCatalog } from '../../formats/model-catalog/catalog.ts';
import { deleteTrace } from '../../store/delete-trace.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { AnalysisExecutor } from '../analysis/executor.ts';
import { createInThreadExecutor } from '../analysis/executor.ts';
import { rebuildBatch } from './rebuild-figures.ts';

const inner = createInThreadExecutor(createModelCatalog());
/** What the detectors find in the next analyses. */
let found: Detection[];
const run: AnalysisExecutor['run'] = async (input) => ({ ...(await inner.run(input)), detections: found });

let store: StoreApp;
let tenantId: string;
beforeEach(async () => {
  found = [];
  store = await openStoreApp({ dependencies: { executor: { ...inner, run } } });
  tenantId = await store.newTenant();
});
afterEach(() => store.close());

/** The same figures, counted from the traces and detections themselves. */
async function scan(): Promise<Map<string, number[]>> {
  const sums = new Map<string, number[]>();
  const add = (key: string, ...added: number[]) => {
    const sum = sums.get(key) ?? [0, 0, 0, 0];
    sums.set(
      key,
      sum.map((figure, at) => figure + (added[at] ?? 0)),
    );
  };
  const nano = (usd: number | null) => Math.round((usd ?? 0) * 1e9);
  for (const row of await store.db.selectFrom('traces').selectAll().where('figures', 'is not', null).execute()) {
    const day = new Date(row.started_at).toISOString().slice(0, 10);
    add(`framework ${day} ${row.framework}`, 1, row.total_tokens, nano(row.cost_usd), row.cost_usd === null ? 1 : 0);
    if (row.quality_score !== null)
      add(
        `score ${day} ${Math.min(9, Math.floor(row.quality_score / 10))}`,
        1,
        0,
        0,
        Math.round(row.quality_score * 10),
      );
    const byModel = new Map<string, { tokens: number; cost: number }>();
    for (const { step } of (await (await store.services.traces.get(tenantId, row.trace_id)).value()).spans) {
      if (step === null || (step.model === null && step.tokens.total === null)) continue;
      const use = byModel.get(step.model ?? 'unknown') ?? { tokens: 0, cost: 0 };
      byModel.set(step.model ?? 'unknown', {
        tokens: use.tokens + (step.tokens.total ?? 0),
        cost: use.cost + (step.cost_usd ?? 0),
      });
    }
    for (const [model, { tokens, cost }] of byModel) add(`model ${day} ${model}`, 1, tokens, nano(cost), 0);
    const workflow = `workflow ${row.framework} ${row.service_name} ${row.name}`;
    add(workflow, 1, row.span_count, row.quality_score === null ? 0 : 1, Math.round((row.quality_score ?? 0) * 10));
    const standing = await store.db
      .selectFrom('detections')
      .selectAll()
      .where('trace_id', '=', row.trace_id)
      .where('withdrawn_at', 'is', null)
      .where('severity', '!=', 'observation')
      .where((where) => where.or([where('is_valid', 'is', null), where('is_valid', '=', 1)]))
      .execute();
    expect(row.detection_count).toBe(standing.length);
    for (const { detection_type, subtype, agent_id, wasted_tokens, body } of standing) {
      add(`detection ${day} ${detection_type}`, 1, wasted_tokens, 0, 0);
      if (detection_type !== 'loop') continue;
      add(`loop ${day} ${subtype}`, 1, wasted_tokens, 0, (JSON.parse(body) as Detection).spanIds.length);
      if (agent_id !== null) add(`loop_agent ${day} ${agent_id}`, 1, wasted_tokens, 0, 0);
    }
  }
  return sums;
}

async function kept(): Promise<Map<string, number[]>> {
  const daily = await store.db.selectFrom('daily_figures').selectAll().where('tenant_no', '>', 0).execute();
  const workflows = await store.db.selectFrom('workflows').selectAll().where('tenant_no', '>', 0).execute();
  return new Map([
    ...daily.map(({ dimension, day, label, count, tokens, cost_nano_usd, amount }): [string, number[]] => {
      const date = new Date(day * 86_400_000).toISOString().slice(0, 10);
      return [`${dimension} ${date} ${label}`, [count, tokens, cost_nano_usd, amount]];
    }),
    ...workflows.map(
      ({ source, service_name, name, trace_count, step_count, scored_count, score_tenths }): [string, number[]] => {
        return [`workflow ${source} ${service_name} ${name}`, [trace_count, step_count, scored_count, score_tenths]];
      },
    ),
  ]);
}

const detection = fc
  .record({
    type: fc.constantFrom('loop' as const, 'injection' as const, 'derailment' as const),
    subtype: fc.constantFrom('cyclic', 'stalled'),
    agent: fc.constantFrom('planner', 'writer', null),
    severity: fc.constantFrom(...SEVERITIES),
    confidence: fc.constantFrom(0.25, 0.7, 1),
    wastedTokens: fc.nat(500),
    spanIds: fc.nat(5).map((length) => Array.from({ length: length + 1 }, (_, at) => `s${at}`)),
  })
  .map(makeDetection);
const detections = fc.uniqueArray(detection, { maxLength: 3, selector: ({ type, subtype }) => `${type} ${subtype}` });
const trace = fc.integer({ min: 1, max: 4 });
const DAY_NS = 86_400_000_000_000n;
const START_NS = 1_768_478_400_000_000_000n;

const act = fc.oneof(
  fc.record({
    kind: fc.constant('send' as const),
    trace,
    days: fc.nat(3),
    tokens: fc.nat(1_000),
    part: fc.nat(4),
    detections,
  }),
  fc.record({ kind: fc.constant('analyze' as const), trace, detections }),
  fc.record({ kind: fc.constant('mark' as const), place: fc.nat(5), isValid: fc.boolean() }),
  fc.record({ kind: fc.constant('forget' as const), trace }),
  fc.record({ kind: fc.constant('sum' as const), limit: fc.integer({ min: 1, max: 3 }) }),
);
type Act = typeof act extends fc.Arbitrary<infer Value> ? Value : never;

async function perform(entry: Act): Promise<void> {
  if (entry.kind === 'forget') {
    const { tenant_no } = await store.db.selectFrom('tenants').select('tenant_no').executeTakeFirstOrThrow();
    await inTransaction(store.db, (transaction) => deleteTrace(transaction, tenant_no, traceIdOf(entry.trace)));
    return;
  }
  if (entry.kind === 'sum') {
    await rebuildBatch({ db: store.db, now: () => store.clock.now() }, 1, { mayStart: true, limit: entry.limit });
    return;
  }
  if (entry.kind === 'mark') return mark(entry.place, entry.isValid);
  found = entry.detections;
  if (entry.kind === 'analyze') {
    await store.services.analysis.analyzeTrace(tenantId, traceIdOf(entry.trace)).catch(() => {});
    return;
  }
  const spans = runSpans(entry.trace, { tokens: entry.tokens, startNs: START_NS - BigInt(entry.days) * DAY_NS });
  await store.send(tenantId, spans.slice(0, entry.part || 1));
  await store.settle(30_000);
}

/** Marks one of the stored detections, withdrawn ones and observations too. */
async function mark(place: number, isValid: boolean): Promise<void> {
  const rows = await store.db.selectFrom('detections').select('detection_id').orderBy('detection_id').execute();
  const row = rows[place % rows.length];
  if (row === undefined) return;
  const word = { detectionId: row.detection_id, isValid, comment: null };
  await store.services.feedback.validate(tenantId, word, { tenantId, keyId: null, scopes: [], isOperator: true });
}

it('figures are those of a scan after any history', async () => {
  await fc.assert(
    fc
      .asyncProperty(fc.array(act, { minLength: 1, maxLength: 10 }), async (acts) => {
        for (const result of acts) {
          await perform(result);
          expect(store.problems).toEqual([]);
          expect(await kept()).toEqual(await scan());
        }
        await store.services.analytics.rebuild(tenantId);
        expect(await kept()).toEqual(await scan());
      })
      .afterEach(async () => {
        for (let number = 1; number <= 4; number += 1) await perform({ kind: 'forget', trace: number });
        expect(await kept()).toEqual(new Map());
      }),
    { numRuns: 40, seed: 20_260_115 },
  );
}, 60_000);

it('figures that were tampered with are noticed by that comparison', async () => {
  await store.send(tenantId, runSpans(1));
  await store.settle();
  expect(await kept()).toEqual(await scan());
  await store.db.updateTable('daily_figures').set({ count: 2 }).where('dimension', '=', 'framework').execute();
  expect(await kept()).not.toEqual(await scan());
});

it('go with their tenant', async () => {
  await store.send(tenantId, runSpans(1));
  await store.settle();
  await store.services.tenants.delete(tenantId);
  expect(await kept()).toEqual(new Map());
});

describe('rebuilding', () => {
  const asBefore = { figures: null, figures_day: null, workflow_id: null };
  const FOUND = [makeDetection({ spanIds: ['s1', 's2'] }), makeDetection({ type: 'injection', agent: null })];

  it('adds traces that were analyzed before figures were stored, each once', async () => {
    found = FOUND;
    for (const number of [1, 2, 3]) await store.send(tenantId, runSpans(number));
    await store.settle();
    const whole = await kept();
    await store.db.updateTable('traces').set(asBefore).where('trace_id', '!=', traceIdOf(2)).execute();
    await store.db.deleteFrom('daily_figures').execute();
    await store.db.deleteFrom('workflows').execute();
    expect(await store.services.analytics.rebuild(tenantId)).toEqual({ traces: 3, added: 2 });
    expect(await kept()).toEqual(whole);
    expect(await store.services.analytics.rebuild(tenantId)).toEqual({ traces: 3, added: 0 });
    expect(await kept()).toEqual(await scan());
  });

  describe('in slices', () => {
    const work = () => ({ db: store.db, now: () => store.clock.now() });
    const spoil = () => store.db.updateTable('daily_figures').set({ count: 7 }).where('tenant_no', '=', 1).execute();

    it('counts what changes meanwhile, and shows the old sums until the new ones are whole', async () => {
      found = FOUND;
      for (const number of [1, 2, 3]) await store.send(tenantId, runSpans(number));
      await store.settle();
      await spoil();
      const spoiled = await kept();
      expect(await rebuildBatch(work(), 1, { mayStart: true, limit: 2 })).toEqual({ traces: 2, isLast: false });
      expect(await kept()).toEqual(spoiled);
      await store.services.deletion.deleteTrace(tenantId, traceIdOf(1));
      found = [];
      for (const number of [0, 2, 3]) await store.send(tenantId, runSpans(number, { tokens: 77 }));
      await store.settle();
      expect(await rebuildBatch(work(), 1, { mayStart: false, limit: 2 })).toEqual({ traces: 3, isLast: true });
      expect(await kept()).toEqual(await scan());
      expect(await rebuildBatch(work(), 1, { mayStart: false, limit: 2 })).toBeNull();
    });

    it('continue at the next start after a process ended, and are deleted with their tenant', async () => {
      for (const number of [1, 2, 3]) await store.send(tenantId, runSpans(number));
      await store.settle();
      await spoil();
      await rebuildBatch(work(), 1, { mayStart: true, limit: 1 });
      const next = await store.openSecond();
      expect(await next.services.analytics.catchUp()).toBe(0);
      await next.close();
      expect(await kept()).toEqual(await scan());
      await rebuildBatch(work(), 1, { mayStart: true, limit: 1 });
      await store.services.tenants.delete(tenantId);
      expect(await store.db.selectFrom('daily_figures').selectAll().execute()).toEqual([]);
      expect(await store.db.selectFrom('workflows').selectAll().execute()).toEqual([]);
    });
  });

  it('starts by itself for traces of an earlier version, of every tenant, once', async () => {
    const other = await store.newTenant('other');
    found = FOUND;
    for (let number = 1; number <= 25; number += 1) await store.send(tenantId, runSpans(number));
    await store.send(other, runSpans(9));
    await store.settle();
    const whole = await kept();
    const empty = async () => {
      await store.db.updateTable('traces').set(asBefore).execute();
      await store.db.deleteFrom('daily_figures').execute();
      await store.db.deleteFrom('workflows').execute();
    };
    await empty();
    expect(await store.services.analytics.catchUp()).toBe(26);
    expect(await kept()).toEqual(whole);
    await empty();
    expect(await store.services.analytics.catchUp()).toBe(0);
  });

  it('that is stopped continues at the next start', async () => {
    for (let number = 1; number <= 25; number += 1) await store.send(tenantId, runSpans(number));
    await store.settle();
    const whole = await kept();
    await store.db.updateTable('traces').set(asBefore).execute();
    await store.db.deleteFrom('daily_figures').execute();
    await store.db.deleteFrom('workflows').execute();
    const running = store.services.analytics.catchUp();
    store.services.analytics.close();
    expect(await running).toBe(0);
    const next = await store.openSecond();
    expect(await next.services.analytics.catchUp()).toBe(25);
    await next.close();
    expect(await kept()).toEqual(whole);
  });

  it('corrects sums, keeps groups and does not change other tenants', async () => {
    const other = await store.newTenant('other');
    await store.send(other, runSpans(9));
    await store.send(tenantId, runSpans(1));
    await store.settle();
    const group = await store.services.workflowGroups.create(tenantId, {
      name: 'g',
      description: null,
      color: null,
      rules: null,
    });
    const { items } = await store.services.workflowGroups.workflows(
      tenantId,
      { groupId: null, source: null, text: null },
      { page: 1, pageSize: 50, cursor: null },
    );
    await store.services.workflowGroups.assign(tenantId, group.group_id, [items[0]!.workflow_id]);
    const rows = () => store.db.selectFrom('daily_figures').selectAll().orderBy('tenant_no').execute();
    const before = await rows();
    const { tenant_no } = await store.db
      .selectFrom('tenants')
      .select('tenant_no')
      .where('tenant_id', '=', tenantId)
      .executeTakeFirstOrThrow();
    await store.db.updateTable('daily_figures').set({ count: 7 }).where('tenant_no', '=', tenant_no).execute();
    await store.services.analytics.rebuild(tenantId);
    expect(await rows()).toEqual(before);
    expect(await store.services.workflowGroups.get(tenantId, group.group_id)).toMatchObject({
      workflow_count: 1,
      trace_count: 1,
    });
  });
});
