import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ALL_ISSUES, onlyIssues } from '../../../test/support/all-issues.ts';
import { type FoundDetections, openFoundDetections } from '../../../test/support/found-detections.ts';
import { traceIdOf } from '../../../test/support/store-app.ts';
import type { Detection } from '../../core/detection.ts';
import type { IssueRecord } from './issue.record.ts';
import type { IssueQuery } from './issue.tasks.ts';
import type { TriageAction } from './triage.ts';

const DAY_MS = 86_400_000;
const PAGE = { page: 1, pageSize: 50, cursor: null };

let world: FoundDetections;
beforeEach(async () => {
  world = await openFoundDetections();
});
afterEach(() => world.store.close());

const list = async (query: Partial<IssueQuery> = {}): Promise<IssueRecord[]> =>
  (await world.store.services.issues.list(world.tenantId, { ...ALL_ISSUES, ...query }, PAGE)).items;
const titles = async (query: Partial<IssueQuery> = {}) => (await list(query)).map(({ title }) => title);
const failure = (title: string, overrides: Partial<Detection> = {}): Partial<Detection> => ({
  title,
  fingerprint: title,
  spanIds: [title],
  ...overrides,
});
async function change(title: string, action: TriageAction): Promise<void> {
  const issue = (await list()).find((one) => one.title === title);
  await world.store.services.issues.change(world.tenantId, issue?.issue_id ?? '', action, 'key_1');
}

const OPERATOR = { tenantId: null, keyId: null, scopes: [], isOperator: true };
async function planFor(issue: IssueRecord, status: string): Promise<void> {
  const plan = await world.store.services.healing.create(
    world.tenantId,
    {
      detectionId: issue.example_detection_id,
      fixId: null,
      executor: 'manual',
      target: {},
      changes: [{ target: 'planner', format: 'text', before: null, after: 'Stop after two.' }],
    },
    OPERATOR,
  );
  await world.store.db
    .updateTable('healing_operations')
    .set({ status })
    .where('operation_id', '=', plan.operation_id)
    .execute();
}

describe('an issue', () => {
  it('has its runs by day, the newest detection and what it wasted', async () => {
    await world.run(1, failure('Loop', { wastedCostUsd: 0.5, wastedTokens: 10 }));
    world.store.clock.advance(3 * DAY_MS);
    await world.run(2, failure('Loop', { agent: 'writer', wastedCostUsd: 0.25 }), {
      ...failure('Loop'),
      spanIds: ['another call of the same run'],
    });
    await world.run(3, failure('Loop'));
    const [issue] = await list();
    expect(issue).toMatchObject({
      count: 4,
      run_count: 3,
      runs_by_day: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 2],
      affected_agents: ['planner', 'writer'],
      wasted_tokens: 10,
      wasted_cost_usd: 0.75,
      // Weight 3 of a warning × 3 runs × (1 + 0.75 USD).
      impact: 15.75,
    });
    const newest = await world.store.db
      .selectFrom('detections')
      .select(['trace_id', 'body'])
      .where('detection_id', '=', issue?.example_detection_id ?? '')
      .executeTakeFirstOrThrow();
    expect(newest.trace_id).toMatch(/3$/);
    expect(issue?.example_explanation).toBe(JSON.parse(newest.body).explanation);
  });

  it('has the cost of its runs, each run once, without those whose cost is not known', async () => {
    const costOf = async (number: number, cost_usd: number | null) => {
      const { db } = world.store;
      await db.updateTable('traces').set({ cost_usd }).where('trace_id', '=', traceIdOf(number)).execute();
    };
    await world.run(1, failure('Loop'), { ...failure('Loop'), spanIds: ['another call of the same run'] });
    await world.run(2, failure('Loop'));
    await world.run(3, failure('Loop'));
    await world.run(4, failure('Other'));
    for (const number of [1, 2, 3, 4]) await costOf(number, null);
    expect(await list(onlyIssues({}))).toMatchObject([{ run_cost_usd: null }, { run_cost_usd: null }]);
    await costOf(1, 0.5);
    await costOf(2, 0.25);
    const loop = (await list()).find(({ title }) => title === 'Loop');
    expect(loop).toMatchObject({ run_count: 3, run_cost_usd: 0.75, wasted_cost_usd: 0 });
  });

  it('with several agents is found by each of them, and counts for each', async () => {
    await world.run(1, failure('Loop', { agent: 'planner' }));
    await world.run(2, failure('Loop', { agent: 'writer' }));
    const { agents } = world.store.services;
    const counts = async () => {
      const listed = (await agents.list(world.tenantId)).map(({ agent_id, open_issues }) => [agent_id, open_issues]);
      const { open_issues } = await (await agents.get(world.tenantId, 'writer', 30)).value();
      return [Object.fromEntries(listed), open_issues];
    };
    for (const agentId of ['planner', 'writer']) expect(await titles(onlyIssues({ agentId }))).toEqual(['Loop']);
    expect(await counts()).toEqual([{ planner: 1, writer: 1 }, 1]);
    await change('Loop', { kind: 'resolve' });
    expect(await counts()).toEqual([{ planner: 0, writer: 0 }, 0]);
  });

  it('belongs to one service, by which it is found', async () => {
    await world.runOf('desk', 1, failure('Loop'));
    await world.runOf('shop', 2, failure('Loop'));
    await world.runOf('shop', 3, failure('Loop'));
    expect((await list()).map(({ run_count }) => run_count)).toEqual([2, 1]);
    for (const service of ['desk', 'shop']) {
      const found = await list(onlyIssues({ service }));
      expect(found.map(({ affected_workflows }) => affected_workflows)).toMatchObject([[{ service_name: service }]]);
      const workflowId = found[0]!.affected_workflows[0]!.workflow_id;
      expect(await list(onlyIssues({ workflowId }))).toEqual(found);
    }
    expect(await list(onlyIssues({ service: 'elsewhere' }))).toEqual([]);
  });

  it('names its workflows, that of the newest run first', async () => {
    const { db } = world.store;
    await world.run(1, failure('Loop'));
    const workflow = await db.selectFrom('workflows').selectAll().executeTakeFirstOrThrow();
    await db
      .insertInto('workflows')
      .values({ ...workflow, workflow_id: 'wf_older', name: 'older' })
      .execute();
    await db.updateTable('traces').set({ workflow_id: 'wf_older' }).execute();
    await world.run(2, failure('Loop'), { ...failure('Loop'), spanIds: ['another'] });
    expect(await list()).toMatchObject([
      {
        affected_workflows: [
          { workflow_id: workflow.workflow_id, name: 'part 0', service_name: 'desk' },
          { workflow_id: 'wf_older', name: 'older' },
        ],
      },
    ]);
    expect(await titles(onlyIssues({ workflowId: 'wf_older' }))).toEqual(['Loop']);
  });

  it('from before issues had a service keeps its id and its first service, and the others get one with its status', async () => {
    const { db } = world.store;
    await world.runOf('desk', 1, failure('Loop'));
    await world.runOf('shop', 2, failure('Loop'));
    const [shop, desk] = await list();
    await db.deleteFrom('issues').where('issue_id', '=', shop!.issue_id).execute();
    await db.updateTable('detections').set({ issue_id: desk!.issue_id }).execute();
    await db.updateTable('issues').set({ fingerprint: 'Loop' }).execute();
    await change('Loop', { kind: 'ignore', until: null, runs: null });
    await world.runOf('shop', 3, failure('Loop'));
    await world.runOf('desk', 4, failure('Loop'));
    const issues = (await list()).toSorted((one, other) => one.issue_id.localeCompare(other.issue_id));
    expect(issues).toMatchObject([
      { issue_id: desk!.issue_id, fingerprint: desk!.fingerprint, run_count: 2, status: 'ignored' },
      { fingerprint: shop!.fingerprint, run_count: 2, status: 'ignored' },
    ]);
  });

  const newTitles = async (isNew: boolean) => titles(onlyIssues({ isNew }));
  const newCount = async () =>
    (await (await world.store.services.overview.get(world.tenantId, null)).value()).issues.new;

  it('is new for a day, while it is open', async () => {
    await world.run(1, failure('Loop'));
    expect([await newTitles(true), await newTitles(false)]).toEqual([['Loop'], []]);
    world.store.clock.advance(DAY_MS);
    expect([await newTitles(true), await newTitles(false)]).toEqual([[], ['Loop']]);
  });

  it.each<[string, TriageAction[]]>([
    ['resolved', [{ kind: 'resolve' }]],
    ['ignored', [{ kind: 'ignore', until: null, runs: null }]],
    ['snoozed', [{ kind: 'snooze', until: null }]],
    ['reopened', [{ kind: 'resolve' }, { kind: 'reopen' }]],
  ])('that a person %s is no longer new, in the list, the filter and the overview', async (_done, actions) => {
    await world.run(1, failure('Loop'));
    await world.run(2, failure('Untouched'));
    for (const action of actions) await change('Loop', action);
    const isNew = Object.fromEntries((await list()).map(({ title, is_new }) => [title, is_new]));
    expect(isNew).toEqual({ Loop: false, Untouched: true });
    expect([await newTitles(true), await newTitles(false), await newCount()]).toEqual([['Untouched'], ['Loop'], 1]);
  });

  it('that a person acted on stays no longer new when it is open again after a snooze or recurs', async () => {
    await world.run(1, failure('Loop'));
    await change('Loop', { kind: 'snooze', until: world.store.clock.now() + 1_000 });
    world.store.clock.advance(2_000);
    expect(await list()).toMatchObject([{ status: 'open', is_new: false }]);
    await world.run(2, failure('Loop'));
    expect(await list()).toMatchObject([{ status: 'open', is_new: false }]);
    expect([await newTitles(true), await newTitles(false), await newCount()]).toEqual([[], ['Loop'], 0]);
  });

  it.each(['pending_approval', 'applied', 'rejected', 'rolled_back'])(
    'with a plan that is %s is not new',
    async (status) => {
      await world.run(1, failure('Loop'));
      const [issue] = await list();
      await planFor(issue!, status);
      expect(await list()).toMatchObject([{ is_new: false }]);
      expect([await newTitles(true), await newTitles(false), await newCount()]).toEqual([[], ['Loop'], 0]);
    },
  );

  it('that recurs after it was resolved is regressed until it is resolved again', async () => {
    await world.run(1, failure('Loop'));
    await change('Loop', { kind: 'resolve' });
    expect(await titles(onlyIssues({ isRegressed: true }))).toEqual([]);
    await world.run(2, failure('Loop'));
    expect(await list(onlyIssues({ isRegressed: true }))).toMatchObject([{ status: 'open', resolved_at: null }]);
    await change('Loop', { kind: 'resolve' });
    expect(await list()).toMatchObject([{ status: 'resolved', regressed_at: null, resolved_by: 'key_1' }]);
  });

  it.each<[string, TriageAction]>([
    ['resolved', { kind: 'resolve' }],
    ['ignored', { kind: 'ignore', until: null, runs: null }],
    ['ignored', { kind: 'ignore', until: null, runs: 2 }],
  ])('stays %s through an analysis of the same run (%o)', async (status, action) => {
    await world.run(1, failure('Loop'));
    await change('Loop', action);
    const before = await list();
    const { analysis } = world.store.services;
    for (const row of await world.store.db.selectFrom('traces').select('trace_id').execute())
      await analysis.analyzeTrace(world.tenantId, row.trace_id);
    expect(before).toMatchObject([{ status }]);
    expect(await list()).toEqual(before);
  });

  it('that is ignored for two more runs is open with the second, whatever the number of detections', async () => {
    await world.run(1, failure('Loop'));
    await change('Loop', { kind: 'ignore', until: null, runs: 2 });
    await world.run(2, failure('Loop'), { ...failure('Loop'), spanIds: ['another'] });
    expect(await list()).toMatchObject([{ status: 'ignored', ignored_runs_left: 1 }]);
    await world.run(3, failure('Loop'));
    expect(await list()).toMatchObject([{ status: 'open', ignored_runs_left: null, regressed_at: null }]);
  });

  it('that is snoozed counts as open in the overview and the metrics when the time is over', async () => {
    await world.run(1, failure('Loop', { severity: 'critical' }));
    const { overview, metrics } = world.store.services;
    const counts = async () => {
      const { issues } = await (await overview.get(world.tenantId, 0)).value();
      const families = await Promise.all([metrics.families(world.tenantId), metrics.families(null)]);
      const gauges = families.map((all) => all.find(({ name }) => name === 'issues_open')?.samples ?? []);
      const sums = gauges.map((samples) => samples.reduce((sum, { value }) => sum + value, 0));
      return [issues.open, issues.critical, issues.new, ...sums];
    };
    await change('Loop', { kind: 'snooze', until: null });
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
    world.store.clock.advance(DAY_MS);
    expect(await counts()).toEqual([1, 1, 0, 1, 1]);
    await change('Loop', { kind: 'resolve' });
    world.store.clock.advance(DAY_MS);
    expect(await counts()).toEqual([0, 0, 0, 0, 0]);
  });

  it('that is snoozed counts as open in the filters when the time is over', async () => {
    await world.run(1, failure('Loop'));
    await change('Loop', { kind: 'snooze', until: null });
    const statuses = async () => [
      (await list(onlyIssues({ status: 'open' }))).length,
      (await list(onlyIssues({ status: 'ignored' }))).length,
      (await list(onlyIssues({ status: 'snoozed' }))).length,
    ];
    expect(await statuses()).toEqual([0, 1, 1]);
    expect(await list()).toMatchObject([{ status: 'snoozed', ignored_until: expect.any(String) }]);
    world.store.clock.advance(DAY_MS);
    expect(await statuses()).toEqual([1, 0, 0]);
    await change('Loop', { kind: 'ignore', until: null, runs: null });
    expect(await statuses()).toEqual([0, 1, 0]);
    expect(await list()).toMatchObject([{ status: 'ignored', ignored_until: null }]);
  });
});

describe('the list', () => {
  beforeEach(async () => {
    await world.run(1, failure('Rare and critical', { severity: 'critical', type: 'injection', subtype: 'direct' }));
    await world.run(2, failure('Often'), failure('Expensive', { wastedCostUsd: 9, agent: 'writer' }));
    await world.run(3, failure('Often'));
    await world.run(4, failure('Often'));
  });

  it('is in the order of impact, with regressed issues first', async () => {
    expect(await titles()).toEqual(['Expensive', 'Rare and critical', 'Often']);
    await change('Rare and critical', { kind: 'resolve' });
    await change('Often', { kind: 'resolve' });
    await world.run(5, failure('Often'));
    expect(await titles()).toEqual(['Often', 'Expensive', 'Rare and critical']);
  });

  it.each<[IssueQuery['sort'], string[]]>([
    ['last_seen', ['Often', 'Expensive', 'Rare and critical']],
    ['runs', ['Often', 'Expensive', 'Rare and critical']],
    ['cost', ['Expensive', 'Often', 'Rare and critical']],
  ])('is sorted by %s', async (sort, expected) => {
    expect(await titles({ sort })).toEqual(expected);
  });

  it.each<[string, Partial<IssueQuery>, string[]]>([
    ['a type', onlyIssues({ detectionType: 'injection' }), ['Rare and critical']],
    ['a subtype', onlyIssues({ detectionType: 'injection', subtype: 'direct' }), ['Rare and critical']],
    ['a severity', onlyIssues({ severity: 'warning' }), ['Expensive', 'Often']],
    ['an agent', onlyIssues({ agentId: 'writer' }), ['Expensive']],
    ['a part of the title in any case', { text: 'CRIT' }, ['Rare and critical']],
    ['a part of the failure', { text: 'injection/dir' }, ['Rare and critical']],
    ['words of the failure in any order', { text: 'direct  Injection' }, ['Rare and critical']],
    ['an agent of its detections', { text: 'writer' }, ['Expensive']],
    ['the subtype in words', { text: 'repeated call often' }, ['Often']],
    ['the subtype with an underscore', { text: 'repeated_call' }, ['Expensive', 'Often']],
    ['a service', { text: 'desk rare' }, ['Rare and critical']],
    ['a workflow', { text: 'part 0' }, ['Expensive', 'Rare and critical', 'Often']],
    ['a tool in the newest explanation', { text: 'called search often' }, ['Often']],
    ['a word that no row has', { text: 'often elsewhere' }, []],
    ['characters that mean something to SQL', { text: '%' }, []],
    ['nothing that is there', onlyIssues({ status: 'resolved' }), []],
  ])('is filtered by %s', async (_name, query, expected) => {
    expect(await titles(query)).toEqual(expected);
  });

  it.each([1, 2, 3])('has each issue on one page of %i', async (pageSize) => {
    const { issues } = world.store.services;
    const byPage: string[] = [];
    for (let page = 1; page <= 3; page += 1) {
      const { items, total } = await issues.list(world.tenantId, ALL_ISSUES, { page, pageSize, cursor: null });
      expect(total).toBe(3);
      byPage.push(...items.map(({ title }) => title));
    }
    const byCursor: string[] = [];
    for (let cursor: string | null = null; ; ) {
      const page = await issues.list(world.tenantId, ALL_ISSUES, { page: 1, pageSize, cursor });
      byCursor.push(...page.items.map(({ title }) => title));
      cursor = page.next_cursor;
      if (cursor === null) break;
    }
    expect(byPage).toEqual(await titles());
    expect(byCursor).toEqual(byPage);
  });
});
