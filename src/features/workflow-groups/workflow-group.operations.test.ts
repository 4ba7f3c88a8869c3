import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type CodingSessionSample, codingSessionSpans } from '../../../test/support/coding-session.ts';
import { type HttpFixture, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { loopingRun } from '../../../test/support/looping-run.ts';
import { runSpans, toRequest, traceIdOf } from '../../../test/support/store-app.ts';
import type { Json } from '../../core/json.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterEach(() => http.close());

const ask = (method: string, path: string, body?: Json, credential: string | null = tenant.apiKey) =>
  http.send({ method, path: `/api/v1/tenants/${tenant.tenantId}${path}`, credential, body });
const create = async (body: Json) => (await ask('POST', '/workflow-groups', body)).json;

/** One run of the workflow of that name, of four spans; the root span's name is the workflow's. */
async function run(number: number, name: string): Promise<void> {
  const spans = runSpans(number).map((span) => (span.parentSpanId === null ? { ...span, name } : span));
  await http.services.ingest.ingest(tenant.tenantId, toRequest(spans));
}
async function runs(...names: string[]): Promise<void> {
  for (const [at, name] of names.entries()) await run(at + 1, name);
  await http.services.analysis.runAllNow(tenant.tenantId);
}
/** Ids of workflows by name. */
const ids = async (): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await ask('GET', '/workflows')).json.items.map((item: { name: string; workflow_id: string }) => [
      item.name,
      item.workflow_id,
    ]),
  );
const named = (value: string, operator = 'starts_with') => ({ conditions: [{ field: 'name', operator, value }] });
const members = async (groupId: string) =>
  (await ask('GET', `/workflows?group_id=${groupId}`)).json.items.map((item: { name: string }) => item.name).sort();

describe('workflows', () => {
  it('have the number of open issues whose newest run is theirs', async () => {
    await http.services.ingest.ingest(tenant.tenantId, toRequest(loopingRun(9)));
    await runs('order');
    const issues = (await ask('GET', '/issues?status=open')).json.items;
    expect(issues.length).toBeGreaterThan(0);
    const openIssues = async () => {
      const { items } = (await ask('GET', '/workflows')).json;
      const counts = items.map(({ name, open_issues }: { name: string; open_issues: number }) => [name, open_issues]);
      return Object.fromEntries(counts) as Record<string, number>;
    };
    const counts = await openIssues();
    expect(counts.order).toBe(0);
    expect(Object.values(counts).reduce((sum, count) => sum + count, 0)).toBe(issues.length);
    for (const { issue_id } of issues) await ask('POST', `/issues/${issue_id}/resolve`);
    expect(Object.values(await openIssues()).every((count) => count === 0)).toBe(true);
  });

  it('are runs of one source, service and name', async () => {
    await runs('refund', 'refund', 'order');
    const { json } = await ask('GET', '/workflows');
    expect(json.total).toBe(2);
    expect(json.items.find((item: { name: string }) => item.name === 'refund')).toMatchObject({
      workflow_id: expect.stringMatching(/^wf_[0-9a-f]{24}$/),
      source: 'unknown',
      service_name: 'desk',
      trace_count: 2,
      complexity: 4,
      grade: 'A',
      group_id: null,
      assignment: null,
      total_tokens: 44,
      last_seen_at: '2026-01-15T12:00:00.000Z',
    });
    expect((await ask('GET', '/workflows?source=crewai')).json.total).toBe(0);
    for (const [q, total] of [
      ['REF', 1],
      ['desk', 2],
      ['%', 0],
    ] as const)
      expect((await ask('GET', `/workflows?q=${encodeURIComponent(q)}`)).json).toMatchObject({ total });
    const first = (await ask('GET', '/workflows?page_size=1')).json;
    const second = (await ask('GET', `/workflows?page_size=1&cursor=${first.next_cursor}`)).json;
    expect([...first.items, ...second.items].map((item) => item.name).sort()).toEqual(['order', 'refund']);
  });

  it('are the sessions of one coding agent in one project, whatever their titles', async () => {
    const startMs = Date.UTC(2026, 0, 15, 12);
    const sessions: Partial<CodingSessionSample>[] = [
      { title: 'Tabs in the parser' },
      { title: 'Spaces in the parser' },
      { title: 'A landing page', project: '/home/ana/site' },
      { title: 'No project', project: '' },
      { title: 'No project either', project: '' },
    ];
    for (const [at, session] of sessions.entries())
      await http.services.ingest.ingest(
        tenant.tenantId,
        toRequest(codingSessionSpans({ sessionId: `session-${at}`, startMs, ...session })),
      );
    await runs();
    const { items } = (await ask('GET', '/workflows')).json;
    const counts = items.map(({ name, trace_count }: { name: string; trace_count: number }) => [name, trace_count]);
    expect(Object.fromEntries(counts)).toEqual({ '/home/ana/parser': 2, '/home/ana/site': 1, 'claude-code': 2 });
    const { workflow } = (await ask('GET', '/traces/facets')).json.facets;
    expect(workflow.values.map(({ label, count }: { label: string; count: number }) => [label, count])).toEqual(
      expect.arrayContaining(counts),
    );
  });
});

describe('a group', () => {
  it('is created, read, listed, changed and deleted', async () => {
    const rules = { match: 'any', ...named('^re', 'matches') };
    const created = await ask('POST', '/workflow-groups', {
      name: 'Money',
      description: 'pays',
      color: '#aabbcc',
      rules,
    });
    expect(created).toMatchObject({
      status: 201,
      json: {
        group_id: expect.stringMatching(/^grp_[0-9a-z]{26}$/),
        name: 'Money',
        description: 'pays',
        color: '#aabbcc',
        rules,
        workflow_count: 0,
        trace_count: 0,
        average_score: null,
        grade: null,
      },
    });
    const path = `/workflow-groups/${created.json.group_id}`;
    expect((await ask('GET', path)).json).toEqual(created.json);
    http.clock.advance(1);
    await create({ name: 'Other' });
    expect((await ask('GET', '/workflow-groups')).json.items.map((group: { name: string }) => group.name)).toEqual([
      'Other',
      'Money',
    ]);
    const changed = await ask('PUT', path, { description: null, name: 'Cash' });
    expect(changed).toMatchObject({ status: 200, json: { name: 'Cash', description: null, color: '#aabbcc', rules } });
    expect((await ask('PUT', path, { rules: null })).json.rules).toBeNull();
    expect((await ask('DELETE', path)).status).toBe(204);
    expect((await ask('GET', path)).status).toBe(404);
    expect((await ask('GET', '/workflow-groups')).json.total).toBe(1);
  });

  it('has a unique name', async () => {
    await create({ name: 'Money' });
    const other = await create({ name: 'Other' });
    expect(await ask('POST', '/workflow-groups', { name: ' Money ' })).toMatchObject({
      status: 409,
      json: { code: 'conflict' },
    });
    expect((await ask('PUT', `/workflow-groups/${other.group_id}`, { name: 'Money' })).status).toBe(409);
    expect((await ask('PUT', `/workflow-groups/${other.group_id}`, { name: 'Other' })).status).toBe(200);
  });

  it.each<[string, Json, string]>([
    ['no name', {}, '/name'],
    ['an empty name', { name: '  ' }, '/name'],
    ['a colour that is none', { name: 'a', color: 'red' }, '/color'],
    ['an unknown member', { name: 'a', owner: 'me' }, '/owner'],
    ['rules without conditions', { name: 'a', rules: { conditions: [] } }, '/rules/conditions'],
    ['a broken pattern', { name: 'a', rules: named('(', 'matches') }, '/rules/conditions/0/value'],
    [
      'an unknown field',
      { name: 'a', rules: { conditions: [{ field: 'x', operator: 'eq', value: 1 }] } },
      '/rules/conditions/0/field',
    ],
    ['an unknown operator', { name: 'a', rules: named('x', 'like') }, '/rules/conditions/0/operator'],
  ])('is refused with %s', async (_name, body, pointer) => {
    const answer = await ask('POST', '/workflow-groups', body);
    expect(answer).toMatchObject({ status: 422, json: { code: 'invalid_body' } });
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect((await ask('GET', '/workflow-groups')).json.total).toBe(0);
  });

  it('is only for its tenant and the right scopes', async () => {
    await runs('refund');
    const group = await create({ name: 'Money', rules: named('re') });
    const workflow = (await ids()).refund as string;
    const stranger = await http.newTenant('stranger');
    const reader = await http.newKey(tenant.tenantId, ['read']);
    const writer = await http.newKey(tenant.tenantId, ['write']);
    const path = `/workflow-groups/${group.group_id}`;
    const writes: [string, string, Json?][] = [
      ['POST', '/workflow-groups', { name: 'x' }],
      ['PUT', path, { name: 'x' }],
      ['DELETE', path],
      ['POST', `${path}/workflows`, { workflow_ids: [workflow] }],
      ['DELETE', `${path}/workflows/${workflow}`],
      ['POST', `${path}/auto-detect`],
    ];
    const reads: [string, string, Json?][] = [
      ['GET', '/workflow-groups'],
      ['GET', path],
      ['GET', '/workflows'],
    ];
    for (const [method, url, body] of [...writes, ...reads]) {
      expect((await ask(method, url, body, null)).status, `${method} ${url}`).toBe(401);
      expect((await ask(method, url, body, stranger.apiKey)).status, `${method} ${url}`).toBe(403);
    }
    for (const [method, url, body] of writes) expect((await ask(method, url, body, reader)).status).toBe(403);
    for (const [method, url, body] of reads) expect((await ask(method, url, body, writer)).status).toBe(403);
    // Under the stranger's own path the group is not there.
    for (const [method, url, body] of [...writes.slice(1), ['GET', path] as [string, string, Json?]]) {
      const sent = { method, path: `/api/v1/tenants/${stranger.tenantId}${url}`, credential: stranger.apiKey, body };
      expect(await http.send(sent), `${method} ${url}`).toMatchObject({ status: 404, json: { code: 'not_found' } });
    }
    expect((await ask('GET', path)).json).toEqual(group);
  });
});

describe('assigning by hand', () => {
  it('moves workflows into the group, and their runs count there', async () => {
    await runs('refund', 'refund', 'order');
    const { refund, order } = await ids();
    const money = await create({ name: 'Money' });
    const shop = await create({ name: 'Shop' });
    const assign = (groupId: string, workflow_ids: string[]) =>
      ask('POST', `/workflow-groups/${groupId}/workflows`, { workflow_ids });
    expect(await assign(money.group_id, [refund as string, order as string])).toMatchObject({
      status: 200,
      json: { workflow_count: 2, trace_count: 3, average_score: 100, grade: 'A' },
    });
    await assign(shop.group_id, [order as string]);
    expect(await members(money.group_id)).toEqual(['refund']);
    expect(await members(shop.group_id)).toEqual(['order']);
    const tracesOf = async (query: string) => (await ask('GET', `/traces?${query}`)).json.total;
    expect([
      await tracesOf(`group_id=${money.group_id}`),
      await tracesOf(`workflow_id=${order}`),
      await tracesOf('group_id=none'),
    ]).toEqual([2, 1, 0]);
    expect((await ask('DELETE', `/workflow-groups/${shop.group_id}/workflows/${order}`)).status).toBe(204);
    expect((await ask('DELETE', `/workflow-groups/${shop.group_id}/workflows/${order}`)).status).toBe(404);
    expect((await ask('DELETE', `/workflow-groups/${money.group_id}`)).status).toBe(204);
    expect((await ask('GET', '/workflows')).json.items.map((item: { group_id: null }) => item.group_id)).toEqual([
      null,
      null,
    ]);
  });

  it('is kept after the last run of the workflow is deleted; an automatic one is deleted', async () => {
    await runs('refund', 'order');
    const { refund } = await ids();
    const hand = await create({ name: 'By hand' });
    const rule = await create({ name: 'By rule', rules: named('order') });
    await ask('POST', `/workflow-groups/${hand.group_id}/workflows`, { workflow_ids: [refund as string] });
    await ask('POST', `/workflow-groups/${rule.group_id}/auto-detect`);
    expect(await members(rule.group_id)).toEqual(['order']);
    for (const number of [1, 2]) expect((await ask('DELETE', `/traces/${traceIdOf(number)}`)).status).toBe(204);
    expect((await ask('GET', '/workflows')).json.items).toEqual([
      expect.objectContaining({ name: 'refund', assignment: 'manual', trace_count: 0, grade: null }),
    ]);
    expect((await ask('GET', `/workflow-groups/${hand.group_id}`)).json).toMatchObject({
      workflow_count: 1,
      trace_count: 0,
      grade: null,
    });
    await run(3, 'refund');
    await run(4, 'order');
    await http.services.analysis.runAllNow(tenant.tenantId);
    expect(await members(hand.group_id)).toEqual(['refund']);
    expect(await members(rule.group_id)).toEqual([]);
    await ask('DELETE', `/traces/${traceIdOf(3)}`);
    await ask('DELETE', `/workflow-groups/${hand.group_id}`);
    expect(Object.keys(await ids())).toEqual(['order']);
  });

  it('is all or nothing', async () => {
    await runs('refund');
    const { refund } = await ids();
    const group = await create({ name: 'Money' });
    const path = `/workflow-groups/${group.group_id}/workflows`;
    expect(await ask('POST', path, { workflow_ids: [refund as string, 'wf_none'] })).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/workflow_ids/1' }] },
    });
    expect((await ask('POST', path, { workflow_ids: [] })).status).toBe(422);
    expect((await ask('POST', path, {})).status).toBe(422);
    expect(await members(group.group_id)).toEqual([]);
  });
});

describe('auto-detection', () => {
  it('follows the rules, and leaves alone what was assigned by hand', async () => {
    await runs('refund', 'return', 'order', 'resell');
    const { refund, return: back, order, resell } = await ids();
    const money = await create({ name: 'Money', rules: named('re') });
    const hand = await create({ name: 'Hand' });
    await ask('POST', `/workflow-groups/${hand.group_id}/workflows`, { workflow_ids: [resell as string] });
    await ask('POST', `/workflow-groups/${money.group_id}/workflows`, { workflow_ids: [order as string] });
    const detect = () => ask('POST', `/workflow-groups/${money.group_id}/auto-detect`);
    expect(await detect()).toMatchObject({
      status: 200,
      json: {
        group_id: money.group_id,
        matched: 3,
        assigned: [refund, back].sort(),
        removed: [],
        kept_elsewhere: [resell],
        workflow_count: 3,
      },
    });
    expect((await detect()).json).toMatchObject({ assigned: [], removed: [], workflow_count: 3 });
    await ask('PUT', `/workflow-groups/${money.group_id}`, { rules: named('refund') });
    expect((await detect()).json).toMatchObject({ matched: 1, assigned: [], removed: [back], workflow_count: 2 });
    expect(await members(money.group_id)).toEqual(['order', 'refund']);
    expect(await members(hand.group_id)).toEqual(['resell']);
  });

  it('by complexity and grade', async () => {
    await runs('refund');
    const conditions = [
      { field: 'complexity', operator: 'gte', value: 4 },
      { field: 'grade', operator: 'in', value: ['A', 'B'] },
      { field: 'source', operator: 'eq', value: 'unknown' },
    ];
    const group = await create({ name: 'Good', rules: { match: 'all', conditions } });
    expect((await ask('POST', `/workflow-groups/${group.group_id}/auto-detect`)).json.matched).toBe(1);
  });

  it('needs rules', async () => {
    const group = await create({ name: 'Money' });
    expect(await ask('POST', `/workflow-groups/${group.group_id}/auto-detect`)).toMatchObject({
      status: 409,
      json: { code: 'conflict' },
    });
  });
});
