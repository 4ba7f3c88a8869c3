import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type AlertApp, detection, openAlertApp } from '../../../test/support/alert-app.ts';
import { openStoreApp, runSpans, type StoreApp, traceIdOf } from '../../../test/support/store-app.ts';
import { saveSubscription } from '../../store/billing.store.ts';
import { deleteTrace, TRACE_TABLES } from '../../store/delete-trace.ts';
import { inTransaction } from '../../store/transaction.ts';
import { type Caller, SCOPES } from '../_kit/caller.ts';
import { ALL_TRACES } from './operation-job.record.ts';

const NO_SUBSCRIPTION = {
  tenant_no: 1,
  customer_id: null,
  subscription_id: null,
  plan: 'free',
  status: 'incomplete',
  current_period_end: null,
  cancel_at_period_end: 0,
  event_at: 0,
  event_rank: 0,
  updated_at: 0,
};
const DAY_MS = 86_400_000;
const PAGE = { page: 1, pageSize: 200, cursor: null };

/** What the files of the store hold, as text. */
const bytesOf = (store: StoreApp) =>
  [store.file, `${store.file}-wal`].map((file) => readFileSync(file).toString('latin1')).join('');
const MARKER = 'zebrafinch';
const CALLER: Caller = { tenantId: null, keyId: null, scopes: SCOPES, isOperator: true };

describe('a deleted trace', () => {
  let app: AlertApp;
  beforeEach(async () => {
    app = await openAlertApp();
  });
  afterEach(() => app.close());

  const marked = (fingerprint: string, spanId: string) =>
    detection({
      agent: `${MARKER} agent`,
      title: `${MARKER} title`,
      explanation: `${MARKER} explanation`,
      evidence: [{ kind: 'text', spanId: 's1', path: null, quote: `${MARKER} quote`, value: null }],
      fingerprint,
      spanIds: [spanId],
    });
  /** A trace that speaks of the marker everywhere, whose alerts went out, are held or wait, which was validated. */
  async function markedTrace(): Promise<string> {
    const { store, tenantId } = app;
    await app.changePreferences({ channels: { team_chat: app.channels().team_chat } });
    const traceId = await app.detect(marked('fp-1', 's1'), marked('fp-2', 's2'));
    const [root, ...others] = runSpans(1).reverse();
    const renamed = [
      { ...root!, name: `${MARKER} run`, attributes: { ...root!.attributes, text: `${MARKER} text` } },
      ...others,
    ];
    await store.send(tenantId, renamed);
    await store.settle();
    await app.runDue();
    const [found] = await store.services.detections.ofTrace(tenantId, traceId);
    const word = { detectionId: found!.detection_id, isValid: true, comment: `${MARKER} note` };
    await store.services.feedback.validate(tenantId, word, CALLER);
    return traceId;
  }

  it('cannot be read from the file any more', async () => {
    const traceId = await markedTrace();
    const { store, tenantId } = app;
    expect(bytesOf(store)).toContain(MARKER);
    await store.services.deletion.deleteTrace(tenantId, traceId);
    expect(bytesOf(store)).not.toContain(MARKER);
    expect(bytesOf(store)).not.toContain(traceId);
    await expect(store.services.traces.get(tenantId, traceId)).rejects.toMatchObject({ code: 'not_found' });
    for (const table of ['issues', 'agents', 'trace_agents', 'alerts', 'alert_messages', 'alert_deliveries'] as const)
      expect(await store.db.selectFrom(table).selectAll().execute(), table).toEqual([]);
  });

  it('leaves what other traces share with it', async () => {
    const { store, tenantId } = app;
    const deleted = await app.detect(detection());
    const stays = await app.detect(detection());
    const before = await store.services.agents.list(tenantId);
    await store.services.deletion.deleteTrace(tenantId, deleted);
    const after = await store.services.agents.list(tenantId);
    expect(after.map((agent) => agent.step_count)).toEqual(before.map((agent) => agent.step_count / 2));
    const issues = await store.db.selectFrom('issues').select('issue_id').execute();
    expect(issues).toHaveLength(1);
    expect(await store.services.detections.ofTrace(tenantId, stays)).toHaveLength(1);
    expect(await store.services.traces.spans(tenantId, stays)).toHaveLength(4);
  });
});

describe('forgetting', () => {
  let store: StoreApp;
  let tenantId: string;
  beforeEach(async () => {
    store = await openStoreApp();
    tenantId = await store.newTenant();
  });
  afterEach(() => store.close());

  const traceIds = async () =>
    (await store.db.selectFrom('traces').select('trace_id').orderBy('trace_id').execute()).map((row) => row.trace_id);

  it('deletes rows of every table with trace ids', async () => {
    const { rows } = await sql<{ name: string }>`
      select m.name from sqlite_master m join pragma_table_info(m.name) c on c.name = 'trace_id'
      where m.type = 'table'
    `.execute(store.db);
    const known: string[] = [...TRACE_TABLES, 'trace_agents'];
    expect(rows.map((row) => row.name).sort()).toEqual(known.sort());
  });

  it('deletes pending jobs of the trace', async () => {
    await store.send(tenantId, runSpans(1));
    await store.send(tenantId, runSpans(2));
    await inTransaction(store.db, (transaction) => deleteTrace(transaction, 1, traceIdOf(1)));
    expect(await store.settle()).toBe(1);
    expect(await traceIds()).toEqual([traceIdOf(2)]);
  });

  it('does not prevent the trace from being sent again', async () => {
    await store.send(tenantId, runSpans(1));
    await store.settle();
    await store.services.deletion.deleteTrace(tenantId, traceIdOf(1));
    await store.send(tenantId, runSpans(1));
    await store.settle();
    expect(await (await store.services.traces.get(tenantId, traceIdOf(1))).value()).toMatchObject({ span_count: 4 });
  });

  it('is for the trace’s tenant alone', async () => {
    const other = await store.newTenant('other');
    await store.send(tenantId, runSpans(1));
    await store.send(other, runSpans(1));
    await store.services.deletion.deleteTrace(tenantId, traceIdOf(1));
    await expect(store.services.deletion.deleteTrace(tenantId, traceIdOf(1))).rejects.toMatchObject({
      code: 'not_found',
    });
    expect(await store.services.traces.spans(other, traceIdOf(1))).toHaveLength(4);
  });

  describe('by a filter', () => {
    const START_NS = 1_768_478_400_000_000_000n;
    const dayNs = (days: number) => START_NS + BigInt(days) * BigInt(DAY_MS) * 1_000_000n;
    const dayMs = (days: number) => Number(dayNs(days) / 1_000_000n);

    it('deletes matching traces in batches and reports its progress', async () => {
      const other = await store.newTenant('other');
      for (let at = 1; at <= 120; at += 1)
        await store.send(tenantId, runSpans(at, { startNs: dayNs(at <= 110 ? 0 : 2) }));
      await store.send(other, runSpans(1));
      const job = await store.services.deletion.deleteMatching(tenantId, { ...ALL_TRACES, to: dayMs(1) });
      expect(job).toMatchObject({ kind: 'delete_traces', status: 'queued', deleted: 0 });
      expect(await store.services.deletion.runDue(5)).toBe(1);
      expect(await store.services.deletion.job(tenantId, job.job_id)).toMatchObject({
        status: 'completed',
        deleted: 110,
      });
      expect(
        await store.services.traces.list(tenantId, { agentId: null, status: null, from: null, to: null }, PAGE),
      ).toMatchObject({ total: 10 });
      expect(await store.services.traces.spans(other, traceIdOf(1))).toHaveLength(4);
      await expect(store.services.deletion.job(other, job.job_id)).rejects.toMatchObject({ code: 'not_found' });
    });

    it('continues in another process', async () => {
      for (let at = 1; at <= 60; at += 1) await store.send(tenantId, runSpans(at));
      const job = await store.services.deletion.deleteMatching(tenantId, { ...ALL_TRACES, from: 0 });
      const running = store.services.deletion.runDue(1);
      store.services.deletion.close();
      await running;
      const second = await store.openSecond();
      try {
        await second.services.deletion.runDue(1);
        expect(await second.services.deletion.job(tenantId, job.job_id)).toMatchObject({
          status: 'completed',
          deleted: 60,
        });
      } finally {
        await second.close();
      }
      expect(await traceIds()).toEqual([]);
    });

    it('can be cancelled', async () => {
      await store.send(tenantId, runSpans(1));
      const job = await store.services.deletion.deleteMatching(tenantId, { ...ALL_TRACES, from: 0 });
      await store.services.deletion.removeJob(tenantId, job.job_id);
      expect(await store.services.deletion.runDue(5)).toBe(0);
      expect(await store.services.deletion.job(tenantId, job.job_id)).toMatchObject({
        status: 'cancelled',
        deleted: 0,
      });
      expect(await traceIds()).toEqual([traceIdOf(1)]);
    });
  });

  describe('by age', () => {
    it('deletes traces that arrived before the retention period, whatever times their spans have', async () => {
      const keeps = await store.newTenant('keeps all');
      await store.services.deletion.setRetention(tenantId, 30);
      for (const tenant of [tenantId, keeps]) await store.send(tenant, runSpans(1));
      store.clock.advance(20 * DAY_MS);
      await store.send(tenantId, runSpans(2, { startNs: 1_000_000n }));
      store.clock.advance(15 * DAY_MS);
      expect(await store.services.deletion.scheduleRetention()).toBe(1);
      expect(await store.services.deletion.scheduleRetention()).toBe(0);
      await store.services.deletion.runDue(5);
      const [job] = (await store.services.deletion.jobs(tenantId, PAGE)).items;
      expect(job).toMatchObject({ kind: 'retention', status: 'completed', deleted: 1 });
      expect(await traceIds()).toEqual([traceIdOf(1), traceIdOf(2)]);
      await expect(store.services.traces.spans(tenantId, traceIdOf(1))).rejects.toMatchObject({ code: 'not_found' });
      expect(await store.services.traces.spans(keeps, traceIdOf(1))).toHaveLength(4);
    });

    it('uses the retention of the plan if it is shorter', async () => {
      const payment = { secretKey: 'sk_test', webhookSecrets: [], prices: {}, returnUrl: null };
      const billed = await openStoreApp({ config: { payment } });
      try {
        const id = await billed.newTenant();
        const left = async () => {
          await billed.services.deletion.scheduleRetention();
          await billed.services.deletion.runDue(5);
          return (await billed.db.selectFrom('traces').select('trace_id').execute()).length;
        };
        await billed.send(id, runSpans(1));
        billed.clock.advance(13 * DAY_MS);
        expect(await left()).toBe(1);
        billed.clock.advance(DAY_MS);
        const now = billed.clock.now();
        const paid = { ...NO_SUBSCRIPTION, plan: 'pro', status: 'active', subscription_id: 'sub_1' };
        await saveSubscription(billed.db, { ...paid, event_at: now });
        await billed.services.deletion.setRetention(id, 30);
        expect(await left()).toBe(1);
        await saveSubscription(billed.db, { ...paid, status: 'canceled', event_at: now - 13 * DAY_MS });
        expect(await left()).toBe(1);
        await saveSubscription(billed.db, { ...paid, status: 'canceled', event_at: now - 14 * DAY_MS });
        expect(await left()).toBe(0);
      } finally {
        await billed.close();
      }
    });

    it.each([
      ['the instance’s days', 7, 'default', { retention_days: 7, source: 'default', plan_days: null }],
      ['a tenant’s own', 7, 90, { retention_days: 90, source: 'tenant', plan_days: null }],
      [
        'without limit, although the instance has one',
        7,
        null,
        { retention_days: null, source: 'tenant', plan_days: null },
      ],
      ['without limit by default', null, 'default', { retention_days: null, source: 'default', plan_days: null }],
    ] as const)('keeps %s', async (_name, instance, tenant, effective) => {
      const second = await openStoreApp({ config: { retentionDays: instance } });
      try {
        const id = await second.newTenant();
        await second.services.deletion.setRetention(id, 3);
        expect(await second.services.deletion.setRetention(id, tenant)).toEqual(effective);
        expect(await second.services.deletion.retention(id)).toEqual(effective);
        expect(await second.services.deletion.scheduleRetention()).toBe(effective.retention_days === null ? 0 : 1);
      } finally {
        await second.close();
      }
    });
  });
});
