import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_ISSUES } from '../../../test/support/all-issues.ts';
import { type FoundDetections, openFoundDetections } from '../../../test/support/found-detections.ts';
import { runSpans, traceIdOf } from '../../../test/support/store-app.ts';
import type { Detection } from '../../core/detection.ts';
import type { IssueRecord } from './issue.record.ts';

const HOUR_MS = 3_600_000;
const OPERATOR = { tenantId: null, keyId: null, scopes: [], isOperator: true };
/** The runs that are counted. */
const OF_AGENT = { agent_id: 'planner', workflow_id: null };
const LOOP: Partial<Detection> = { title: 'Loop', fingerprint: 'loop' };

let world: FoundDetections;
beforeEach(async () => {
  world = await openFoundDetections();
  await world.run(1, LOOP);
  world.store.clock.advance(HOUR_MS);
});
afterEach(() => world.store.close());

const issue = async (): Promise<IssueRecord> => {
  const page = { page: 1, pageSize: 50, cursor: null };
  return (await world.store.services.issues.list(world.tenantId, ALL_ISSUES, page)).items[0]!;
};
async function resolve(): Promise<string> {
  const { issue_id } = await issue();
  await world.store.services.issues.change(world.tenantId, issue_id, { kind: 'resolve' }, 'key_1');
  const at = new Date(world.store.clock.now()).toISOString();
  world.store.clock.advance(HOUR_MS);
  return at;
}
const healing = () => world.store.services.healing;
async function plan(): Promise<string> {
  const request = {
    detectionId: (await issue()).example_detection_id,
    fixId: null,
    executor: 'manual',
    target: {},
    changes: [{ target: 'planner', format: 'text', before: null, after: 'Stop after two.' } as const],
  };
  return (await healing().create(world.tenantId, request, OPERATOR)).operation_id;
}
async function apply(operationId: string): Promise<void> {
  await healing().approve(world.tenantId, operationId, null, OPERATOR);
  await healing().execute(world.tenantId, operationId);
  await healing().resolve(world.tenantId, operationId, 'applied', null);
  world.store.clock.advance(HOUR_MS);
}

describe('the outcome of a fix', () => {
  it('is null while nobody has fixed the issue', async () => {
    expect(await issue()).toMatchObject({ fix_outcome: null, plans: [] });
  });

  it('counts the runs of the agent since the issue was resolved', async () => {
    const since = await resolve();
    expect((await issue()).fix_outcome).toEqual({ since, run_count: 0, recurrence_count: 0, ...OF_AGENT });
    await world.run(2);
    await world.run(3);
    expect((await issue()).fix_outcome).toEqual({ since, run_count: 2, recurrence_count: 0, ...OF_AGENT });
  });

  it('counts only runs of the service of the issue', async () => {
    const since = await resolve();
    await world.run(2);
    await world.runOf('kitchen', 3);
    await world.runOf('kitchen', 4);
    expect((await issue()).fix_outcome).toEqual({ since, run_count: 1, recurrence_count: 0, ...OF_AGENT });
  });

  it('counts the runs of the workflow if only another service has the agent', async () => {
    await world.run(2, { ...LOOP, fingerprint: 'cook', title: 'Cook', agent: 'cook' });
    await world.run(5);
    const { store } = world;
    const spans = runSpans(3, { service: 'kitchen', startNs: BigInt(store.clock.now()) * 1_000_000n });
    const ofCook = spans.map((span) => ({ ...span, attributes: { ...span.attributes, 'gen_ai.agent.name': 'cook' } }));
    await store.send(world.tenantId, ofCook);
    await store.services.analysis.analyzeTrace(world.tenantId, traceIdOf(3));
    const page = { page: 1, pageSize: 50, cursor: null };
    const { items } = await world.store.services.issues.list(world.tenantId, { ...ALL_ISSUES, text: 'cook' }, page);
    await world.store.services.issues.change(world.tenantId, items[0]!.issue_id, { kind: 'resolve' }, 'key_1');
    world.store.clock.advance(HOUR_MS);
    await world.run(4);
    const found = await world.store.services.issues.get(world.tenantId, items[0]!.issue_id);
    expect(found.fix_outcome).toMatchObject({ run_count: 1, agent_id: null, workflow_id: expect.any(String) });
    expect(found.fix_outcome).toMatchObject({ recurrence_count: 0 });
  });

  it('counts the runs in which it recurred, also after the issue is open again', async () => {
    const since = await resolve();
    await world.run(2);
    await world.run(3, LOOP, { ...LOOP, spanIds: ['another call of the same run'] });
    expect(await issue()).toMatchObject({
      status: 'open',
      resolved_at: null,
      fix_outcome: { since, run_count: 2, recurrence_count: 1 },
    });
  });

  it('is null after a person reopened the issue', async () => {
    await resolve();
    const { issue_id } = await issue();
    await world.store.services.issues.change(world.tenantId, issue_id, { kind: 'reopen' }, 'key_1');
    expect((await issue()).fix_outcome).toBeNull();
  });

  it('counts the runs of the workflow if no run has the agent', async () => {
    await world.run(2, { ...LOOP, fingerprint: 'node', title: 'Node', agent: 'a node of the workflow' });
    const page = { page: 1, pageSize: 50, cursor: null };
    const { items } = await world.store.services.issues.list(world.tenantId, { ...ALL_ISSUES, text: 'node' }, page);
    await world.store.services.issues.change(world.tenantId, items[0]!.issue_id, { kind: 'resolve' }, 'key_1');
    world.store.clock.advance(HOUR_MS);
    await world.run(3);
    const node = await world.store.services.issues.get(world.tenantId, items[0]!.issue_id);
    expect(node.fix_outcome).toMatchObject({ run_count: 1, recurrence_count: 0 });
  });

  it('belongs to a plan once it is applied, and to its issue', async () => {
    const operationId = await plan();
    expect((await issue()).plans).toMatchObject([
      { operation_id: operationId, status: 'pending_approval', fix_outcome: null },
    ]);
    await apply(operationId);
    await world.run(2);
    await world.run(3, LOOP);
    const outcome = { run_count: 2, recurrence_count: 1 };
    const { issue_id, plans, fix_outcome } = await issue();
    expect(plans).toMatchObject([{ status: 'applied', fix_outcome: outcome }]);
    expect(fix_outcome).toEqual(plans[0]?.fix_outcome);
    const record = await healing().get(world.tenantId, operationId);
    expect(record).toMatchObject({
      issue: { issue_id, title: 'Loop', severity: 'warning', status: 'open' },
      fix_outcome: outcome,
    });
    const history = await healing().history(world.tenantId, { page: 1, pageSize: 50, cursor: null });
    expect(history.items).toMatchObject([{ fix_outcome: outcome }]);
  });

  it('begins with the newest fix', async () => {
    await apply(await plan());
    await world.run(2, LOOP);
    const since = await resolve();
    await world.run(3);
    expect((await issue()).fix_outcome).toEqual({ since, run_count: 1, recurrence_count: 0, ...OF_AGENT });
  });

  it('is null after a rollback', async () => {
    const operationId = await plan();
    await apply(operationId);
    await healing().rollback(world.tenantId, operationId);
    await healing().resolve(world.tenantId, operationId, 'rolled_back', null);
    expect(await issue()).toMatchObject({ fix_outcome: null, plans: [{ status: 'rolled_back', fix_outcome: null }] });
  });
});

describe('a plan that waits for a person', () => {
  const page = { page: 1, pageSize: 50, cursor: null };
  const all = { status: null, fixType: null, detectionId: null, issueId: null, isWaiting: null };
  const idsOf = async (isWaiting: boolean) => {
    const { items } = await healing().list(world.tenantId, { ...all, isWaiting }, page);
    return items.map(({ operation_id }) => operation_id);
  };
  async function expectWaiting(ids: string[]): Promise<void> {
    expect(await idsOf(true)).toEqual(ids);
    const overview = (await world.store.services.overview.get(world.tenantId, null)).value();
    expect((await overview).healing.waiting).toBe(ids.length);
  }

  it.each<[string, (operationId: string) => Promise<unknown>, boolean]>([
    ['is pending', async () => {}, true],
    ['is approved', (id) => healing().approve(world.tenantId, id, null, OPERATOR), true],
    ['is rejected', (id) => healing().reject(world.tenantId, id, null), false],
    [
      'is made by hand',
      async (id) => {
        await healing().approve(world.tenantId, id, null, OPERATOR);
        await healing().execute(world.tenantId, id);
      },
      true,
    ],
    ['is applied', apply, false],
  ])('%s', async (_state, act, isWaiting) => {
    const operationId = await plan();
    await act(operationId);
    await expectWaiting(isWaiting ? [operationId] : []);
    expect(await idsOf(false)).toEqual(isWaiting ? [] : [operationId]);
  });

  it('is applied, and the failure was detected again, until another step is taken', async () => {
    const operationId = await plan();
    await apply(operationId);
    await world.run(2);
    await expectWaiting([]);
    await world.run(3, LOOP);
    await expectWaiting([operationId]);
    const another = await plan();
    await expectWaiting([another]);
    await healing().reject(world.tenantId, another, null);
    await expectWaiting([operationId]);
    await resolve();
    await expectWaiting([]);
  });

  it('is the newest of several applied plans that did not hold', async () => {
    await apply(await plan());
    const newest = await plan();
    await apply(newest);
    await world.run(2, LOOP);
    await expectWaiting([newest]);
    await healing().rollback(world.tenantId, newest);
    await healing().resolve(world.tenantId, newest, 'rolled_back', null);
    expect(await idsOf(true)).not.toContain(newest);
  });

  it('does not wait while its issue is snoozed', async () => {
    const operationId = await plan();
    await apply(operationId);
    await world.run(2, LOOP);
    const { issue_id } = await issue();
    const until = world.store.clock.now() + HOUR_MS;
    await world.store.services.issues.change(world.tenantId, issue_id, { kind: 'snooze', until }, 'key_1');
    await expectWaiting([]);
    world.store.clock.advance(2 * HOUR_MS);
    await expectWaiting([operationId]);
  });
});

describe('the plans of an issue', () => {
  it('are listed by its id, and name their fix', async () => {
    await plan();
    const { issue_id, plans } = await issue();
    expect(plans).toMatchObject([{ fix_id: null }]);
    const filter = { status: null, fixType: null, detectionId: null, isWaiting: null };
    const page = { page: 1, pageSize: 50, cursor: null };
    const { total } = await healing().list(world.tenantId, { ...filter, issueId: issue_id }, page);
    expect(total).toBe(1);
    expect((await healing().list(world.tenantId, { ...filter, issueId: 'iss_other' }, page)).total).toBe(0);
  });
});

describe('the runs of an issue', () => {
  it('have the start of the first and of the last one', async () => {
    const first = new Date(world.store.clock.now() - HOUR_MS - 10_000).toISOString();
    const last = new Date(world.store.clock.now()).toISOString();
    await world.run(2, LOOP);
    expect(await issue()).toMatchObject({ first_run_at: first, last_run_at: last });
  });
});
