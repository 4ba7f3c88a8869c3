import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import type { Json } from '../core/json.ts';
import { OPEN } from '../features/issues/triage.ts';
import { insertIssue } from '../store/issue.store.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(() => http.close());
beforeEach(async () => {
  tenant = await http.newTenant();
  for (const issueId of ['iss_1', 'iss_2']) await addIssue(tenant, issueId);
});

async function addIssue({ tenantId }: Tenant, issueId: string): Promise<void> {
  await insertIssue(http.app.store.db, {
    ...OPEN,
    triaged_at: null,
    tenant_no: await http.services.tenants.tenantNoOf(tenantId),
    issue_id: issueId,
    fingerprint: issueId,
    detection_type: 'loop',
    subtype: 'repeated_call',
    agent_id: 'planner',
    title: 'Repeated call',
    severity: 'warning',
    first_seen_at: http.clock.now(),
    last_seen_at: http.clock.now(),
  });
}

const send = (method: string, path: string, body?: Json, credential = tenant.apiKey) =>
  http.send({ method, path: `/api/v1/tenants/${tenant.tenantId}/issues${path}`, body, credential });
const post = (path: string, body?: Json) => send('POST', path, body);
const statuses = async () => {
  const { items } = (await send('GET', '?sort=last_seen')).json;
  return Object.fromEntries(items.map((issue: { issue_id: string; status: string }) => [issue.issue_id, issue.status]));
};

describe('an action on one issue', () => {
  it.each<[string, Json | undefined, object]>([
    ['resolve', undefined, { status: 'resolved', resolved_at: '2026-01-15T12:00:00.000Z' }],
    ['ignore', {}, { status: 'ignored', ignored_until: null, ignored_runs_left: null }],
    ['ignore', undefined, { status: 'ignored' }],
    ['ignore', { runs: 100 }, { status: 'ignored', ignored_runs_left: 100 }],
    ['ignore', { until: '2027-01-01' }, { status: 'snoozed', ignored_until: '2027-01-01T00:00:00.000Z' }],
    ['snooze', {}, { status: 'snoozed', ignored_until: '2026-01-16T12:00:00.000Z' }],
    ['snooze', { until: '2026-01-15T13:00:00Z' }, { ignored_until: '2026-01-15T13:00:00.000Z' }],
    ['reopen', undefined, { status: 'open' }],
  ])('%s with %j', async (action, body, expected) => {
    const answer = await post(`/iss_1/${action}`, body);
    expect(answer).toMatchObject({ status: 200, json: { issue_id: 'iss_1', ...expected } });
    expect((await send('GET', '/iss_1')).json).toEqual(answer.json);
    expect((await statuses()).iss_2).toBe('open');
  });

  it.each<[string, Json, string]>([
    ['ignore', { runs: 0 }, '/runs'],
    ['ignore', { runs: 1.5 }, '/runs'],
    ['ignore', { until: '2001-01-01' }, '/until'],
    ['snooze', { until: 'soon' }, '/until'],
    ['snooze', { days: 1 }, '/days'],
  ])('%s refuses %j', async (action, body, pointer) => {
    expect(await post(`/iss_1/${action}`, body)).toMatchObject({ status: 422, json: { errors: [{ pointer }] } });
    expect((await statuses()).iss_1).toBe('open');
  });

  it('is in the audit log with its author', async () => {
    await post('/iss_1/resolve');
    const log = await http.send({
      path: `/api/v1/tenants/${tenant.tenantId}/audit-log?action=issues`,
      credential: tenant.apiKey,
    });
    const { resolved_by } = (await send('GET', '/iss_1')).json;
    expect(log.json.items).toMatchObject([
      { action: 'issues.resolve', object_id: 'iss_1', actor: resolved_by, outcome: 'done' },
    ]);
    expect(resolved_by).toMatch(/^key_/);
  });

  it('reaches open pages as an event', async () => {
    const tenantNo = await http.services.tenants.tenantNoOf(tenant.tenantId);
    const event = new Promise((take) => {
      http.services.streams.subscribe(tenantNo, 'tenant', null, { receive: take, end: () => {} });
    });
    await post('/iss_1/resolve');
    const data = { issue_id: 'iss_1', status: 'resolved', trace_id: null };
    expect(await event).toMatchObject({ event: 'issue.updated', data });
  });
});

describe('a batch', () => {
  it('changes existing issues and names missing ones, in the order of the request', async () => {
    const answer = await post('/batch', { issue_ids: ['iss_2', 'iss_none', 'iss_1', 'iss_2'], action: 'resolve' });
    expect(answer.status, answer.text).toBe(200);
    expect(answer.json.items).toMatchObject([
      { issue_id: 'iss_2', outcome: 'done', issue: { status: 'resolved' } },
      { issue_id: 'iss_none', outcome: 'not_found', issue: null },
      { issue_id: 'iss_1', outcome: 'done', issue: { status: 'resolved' } },
      { issue_id: 'iss_2', outcome: 'done' },
    ]);
    expect(await statuses()).toEqual({ iss_1: 'resolved', iss_2: 'resolved' });
  });

  it('changes nothing of another tenant', async () => {
    const other = await http.newTenant();
    await addIssue(other, 'iss_other');
    const { json } = await post('/batch', { issue_ids: ['iss_other'], action: 'ignore' });
    expect(json.items).toEqual([{ issue_id: 'iss_other', outcome: 'not_found', issue: null }]);
    tenant = other;
    expect(await statuses()).toEqual({ iss_other: 'open' });
  });

  it('accepts up to 200 issues', async () => {
    const ids = (count: number) => Array.from({ length: count }, (_, number) => `iss_none_${number}`);
    expect((await post('/batch', { issue_ids: ids(200), action: 'reopen' })).json.items).toHaveLength(200);
    expect(await post('/batch', { issue_ids: ids(201), action: 'reopen' })).toMatchObject({
      status: 422,
      json: { errors: [{ pointer: '/issue_ids' }] },
    });
  });

  it.each<[Json, string]>([
    [{ issue_ids: [], action: 'resolve' }, '/issue_ids'],
    [{ issue_ids: ['iss_1'], action: 'delete' }, '/action'],
    [{ issue_ids: ['iss_1'], action: 'resolve', until: '2027-01-01' }, '/until'],
    [{ issue_ids: ['iss_1'], action: 'snooze', runs: 3 }, '/runs'],
    [{ issue_ids: ['iss_1'], action: 'snooze', until: '2001-01-01' }, '/until'],
  ])('refuses %j', async (body, pointer) => {
    expect(await post('/batch', body)).toMatchObject({ status: 422, json: { errors: [{ pointer }] } });
    expect(await statuses()).toEqual({ iss_1: 'open', iss_2: 'open' });
  });

  it('needs the scope write', async () => {
    const reader = await http.newKey(tenant.tenantId, ['read']);
    const answer = await send('POST', '/batch', { issue_ids: ['iss_1'], action: 'resolve' }, reader);
    expect(answer).toMatchObject({ status: 403, json: { code: 'forbidden' } });
  });
});

describe('the list of issues', () => {
  it.each(['?sort=title', '?regressed=maybe', '?severity=bad', '?type=none', '?new=1x', '?status=muted'])(
    'refuses %s',
    async (query) => {
      expect(await send('GET', query)).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
    },
  );

  it('accepts a cursor of its own order only', async () => {
    const { next_cursor } = (await send('GET', '?page_size=1')).json;
    expect((await send('GET', `?page_size=1&cursor=${next_cursor}`)).json.items).toHaveLength(1);
    const other = Buffer.from(JSON.stringify([1, 'x'])).toString('base64url');
    expect(await send('GET', `?cursor=${other}`)).toMatchObject({ status: 400 });
  });
});
