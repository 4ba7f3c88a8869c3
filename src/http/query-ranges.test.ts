import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from '../../test/support/http-app.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

const send = (path: string, method = 'GET', body?: { [name: string]: string }) =>
  http.send({
    method,
    path: path.startsWith('/') ? `/api/v1${path}` : `/api/v1/tenants/${tenant.tenantId}/${path}`,
    credential: path.startsWith('/') ? OPERATOR_TOKEN : tenant.apiKey,
    ...(body ? { body } : {}),
  });

const LISTS: [path: string, method: string][] = [
  ['traces', 'GET'],
  ['traces', 'DELETE'],
  ['detections', 'GET'],
  ['conversations', 'GET'],
  ['audit-log', 'GET'],
  ['/audit-log', 'GET'],
];

describe('dates of a query', () => {
  it.each(LISTS)(
    '%s %s rejects dates that do not exist and ranges that end before they begin',
    async (path, method) => {
      for (const name of ['date_from', 'date_to']) {
        for (const text of ['2026-02-30', '2026-01-31T24:00:00Z', '2026-01-31T12:00:60Z']) {
          const answer = await send(`${path}?${name}=${text}`, method);
          expect(answer).toMatchObject({ status: 400, json: { errors: [{ pointer: `?${name}` }] } });
        }
      }
      const reversed = await send(`${path}?date_from=2026-02-02&date_to=2026-02-01`, method);
      expect(reversed).toMatchObject({ status: 400, json: { errors: [{ pointer: '?date_from' }] } });
      expect((await send(`${path}?date_from=2026-02-01&date_to=2026-02-01`, method)).status).toBeLessThan(300);
    },
  );

  it('a body rejects them as well', async () => {
    for (const until of ['2026-02-30', '2026-02-30T00:00:00Z']) {
      const snoozed = await send('issues/nothing/snooze', 'POST', { until });
      expect(snoozed).toMatchObject({ status: 422, json: { errors: [{ pointer: '/until' }] } });
      const key = await send('api-keys', 'POST', { name: 'k', expires_at: until });
      expect(key).toMatchObject({
        status: 422,
        json: { errors: expect.arrayContaining([expect.objectContaining({ pointer: '/expires_at' })]) },
      });
    }
  });
});

describe('confidence of a query', () => {
  it.each([
    ['confidence_min=0.8&confidence_max=0.2', 400],
    ['confidence_min=0.5&confidence_max=0.5', 200],
    ['confidence_min=0.8', 200],
  ])('%s is %i', async (query, status) => {
    const answer = await send(`detections?${query}`);
    expect(answer.status).toBe(status);
    if (status === 400)
      expect(answer.json.errors).toEqual([{ pointer: '?confidence_min', message: 'must not be above confidence_max' }]);
  });
});

describe('a filter with a closed list of values', () => {
  it.each([
    ['/integrations?kind=abc', '?kind'],
    ['issues?type=abc', '?type'],
    ['issues?severity=abc', '?severity'],
    ['issues?subtype=abc', '?subtype'],
    ['issues?type=loop&subtype=direct', '?subtype'],
    ['alerts?state=abc', '?state'],
    ['coding-sessions?ended_by=abc', '?ended_by'],
  ])('%s is rejected', async (path, pointer) => {
    const answer = await http.send({
      path: path.startsWith('/') ? `/api/v1${path}` : `/api/v1/tenants/${tenant.tenantId}/${path}`,
      credential: tenant.apiKey,
    });
    expect(answer).toMatchObject({ status: 400, json: { errors: [{ pointer }] } });
  });

  it('accepts the subtypes of each type', async () => {
    for (const query of ['subtype=direct', 'type=loop&subtype=exact_repetition'])
      expect((await send(`issues?${query}`)).status).toBe(200);
  });
});

describe('a filter on an id or a name', () => {
  it.each(['audit-log?action=abc', 'audit-log?actor=abc', 'alerts?issue_id=abc', 'coding-sessions?agent=abc'])(
    '%s answers an empty page if nothing has it',
    async (path) => expect(await send(path)).toMatchObject({ status: 200, json: { total: 0, items: [] } }),
  );
});
