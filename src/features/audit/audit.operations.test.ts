import { createHash } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { storeDetection } from '../../../test/support/stored-detection.ts';
import type { Fix } from '../../core/detection.ts';
import { canonicalJson, type Json } from '../../core/json.ts';
import { insertIssue } from '../../store/issue.store.ts';
import { resolveTenant } from '../../store/tenant.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { callerName } from '../_kit/caller-name.ts';
import { OPEN } from '../issues/triage.ts';
import { operations } from '../operations.ts';
import type { AuditRecord } from './audit.record.ts';
import { isLogged } from './run-operation.ts';

const FIX: Fix = {
  fixType: 'loop_guard',
  title: 'Stop search after 2 rounds',
  description: 'Add a guard that ends the run.',
  rationale: 'Further rounds bring nothing.',
  confidence: 0.7,
  risk: 'low',
  changes: [{ target: 'search', format: 'text', before: null, after: 'stop at 2' }],
  isBreaking: false,
  requiresTesting: true,
};

const ISSUE = {
  issue_id: 'iss_one',
  fingerprint: 'fp-loop',
  detection_type: 'loop',
  subtype: 'repeated_call',
  agent_id: 'planner',
  title: 'Repeated call',
  severity: 'warning',
  ...OPEN,
  triaged_at: null,
  first_seen_at: 1,
  last_seen_at: 1,
};

let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterEach(() => http.close());

const base = () => `/api/v1/tenants/${tenant.tenantId}`;
const send = (method: string, path: string, body?: Json, credential = tenant.apiKey, requestId = 'req-1') =>
  http.send({
    method,
    path: `${base()}${path}`,
    credential,
    headers: { 'X-Request-Id': requestId, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) }),
  });
const log = async (query = ''): Promise<AuditRecord[]> => {
  const answer = await send('GET', `/audit-log${query}`);
  expect(answer.status).toBe(200);
  return answer.json.items;
};
const digest = (value: Json) => createHash('sha256').update(canonicalJson(value)).digest('hex');

describe('the audit log', () => {
  it('records actor, object and digests before and after, and no values', async () => {
    const before = (await send('GET', '/preferences/notifications')).json;
    const hook = 'https://hooks.example.com/T000/s3cretpath';
    const body = { min_severity: 'critical', channels: { team_chat: { enabled: true, webhook_url: hook } } };
    expect((await send('PUT', '/preferences/notifications', body, tenant.apiKey, 'req-42')).status).toBe(200);
    const after = (await send('GET', '/preferences/notifications')).json;
    expect(await log()).toEqual([
      {
        audit_id: expect.stringMatching(/^aud_/),
        at: '2026-01-15T12:00:00.000Z',
        actor: expect.stringMatching(/^key_/),
        action: 'alerts.change-preferences',
        object_id: null,
        fields: ['channels', 'min_severity'],
        digest_before: digest(before),
        digest_after: digest(after),
        outcome: 'done',
        request_id: 'req-42',
      },
    ]);
    const rows = await http.app.store.db.selectFrom('audit_log').selectAll().execute();
    expect(JSON.stringify(rows)).not.toContain('s3cretpath');
  });

  it('records changes of keys, thresholds and the policy, and deletions, with their ids', async () => {
    const key = (await send('POST', '/api-keys', { name: 'robot', scopes: ['read'] })).json;
    await send('DELETE', `/api-keys/${key.key_id}`);
    await send('PUT', '/settings/thresholds', { max_steps: 9 });
    await send('DELETE', '/traces?date_to=2001-01-01');
    await send('PUT', '/settings/healing', { policy: 'auto' });
    const result = (await log()).map(({ action, object_id, outcome }) => [action, object_id, outcome]);
    expect(new Set(result.map(([action]) => action))).toEqual(
      new Set([
        'api-keys.create',
        'api-keys.revoke',
        'thresholds.change',
        'traces.delete-matching',
        'healing.change-policy',
      ]),
    );
    expect(result).toContainEqual(['api-keys.create', key.key_id, 'done']);
    expect(result).toContainEqual(['api-keys.revoke', key.key_id, 'done']);
    expect(JSON.stringify(await log())).not.toContain(key.api_key);
  });

  it('records each step of a healing operation with digests of the content', async () => {
    await storeDetection(http.app.store.db, tenant.tenantId, 'det_one');
    const after = '[{"op":"add","path":"/global/max_steps","value":9}]';
    const created = await send('POST', '/healing/operations', {
      detection_id: 'det_one',
      executor: 'settings',
      target: { setting: 'thresholds' },
      changes: [{ format: 'json-patch', after }],
    });
    const { operation_id: id, before, after: planned } = created.json;
    for (const step of ['approve', 'execute', 'rollback']) {
      http.clock.advance(1_000);
      await send('POST', `/healing/operations/${id}/${step}`);
    }
    const sha = (text: string) => createHash('sha256').update(text).digest('hex');
    expect(await log(`?object_id=${id}`)).toMatchObject([
      { action: 'healing.rollback', digest_before: sha(planned), digest_after: sha(before) },
      { action: 'healing.execute', digest_before: sha(before), digest_after: sha(planned) },
      { action: 'healing.approve', outcome: 'done' },
      { action: 'healing.create', fields: ['changes', 'detection_id', 'executor', 'target'] },
    ]);
  });

  it.each([
    ['resolve', 'issues.resolve'],
    ['ignore', 'issues.ignore'],
    ['snooze', 'issues.snooze'],
    ['reopen', 'issues.reopen'],
  ])('names the action %s of a batch, with the issues that it changed', async (action, expected) => {
    const { db } = http.app.store;
    const tenantNo = (await resolveTenant(db, tenant.tenantId)) as number;
    await insertIssue(db, { ...ISSUE, tenant_no: tenantNo });
    const batch = { issue_ids: [ISSUE.issue_id, 'iss_none'], action };
    expect((await send('POST', '/issues/batch', batch)).status).toBe(200);
    expect(await log()).toMatchObject([{ action: expected, object_id: ISSUE.issue_id, outcome: 'done' }]);
  });

  it('does not record a batch that changed nothing', async () => {
    const answer = await send('POST', '/issues/batch', { issue_ids: ['iss_none'], action: 'resolve' });
    expect(answer.json.items).toMatchObject([{ outcome: 'not_found' }]);
    expect(await log()).toEqual([]);
  });

  it.each([
    [{ keyId: 'key_1' }, 'key_1'],
    [{ keyId: null }, 'operator'],
  ])('records the credential behind a session (%o)', (owner, expected) => {
    const session = { tenantId: tenant.tenantId, scopes: [], isOperator: false, sessionId: 'ses_1', ...owner };
    expect(callerName(session)).toBe(expected);
  });

  it('does not record rejected requests and reads', async () => {
    await send('PUT', '/settings/thresholds', { max_steps: -1 });
    await send('DELETE', '/api-keys/key_none');
    await send('POST', '/healing/operations', { detection_id: 'det_none' });
    await send('GET', '/settings/thresholds');
    expect(await log()).toEqual([]);
  });

  it('records a request that was rejected after it had changed something', async () => {
    await storeDetection(http.app.store.db, tenant.tenantId, 'det_one');
    const change = { format: 'json-patch', after: '[{"op":"add","path":"/global/max_steps","value":9}]' };
    const request = {
      detection_id: 'det_one',
      executor: 'settings',
      target: { setting: 'thresholds' },
      changes: [change],
    };
    const { operation_id: id } = (await send('POST', '/healing/operations', request)).json;
    await send('POST', `/healing/operations/${id}/approve`);
    await send('PUT', '/settings/thresholds', { max_steps: 7 });
    expect((await send('POST', `/healing/operations/${id}/execute`)).status).toBe(409);
    expect(await log('?action=healing.execute')).toMatchObject([{ object_id: id, outcome: 'conflict' }]);
  });

  it('is filtered and paged', async () => {
    for (let at = 1; at <= 3; at += 1) {
      await send('PUT', '/settings/thresholds', { max_steps: at });
      http.clock.advance(60_000);
    }
    await http.send({
      method: 'PUT',
      path: `${base()}/settings/detectors`,
      body: { loop: true },
      credential: OPERATOR_TOKEN,
    });
    expect((await log('?action=thresholds')).length).toBe(3);
    expect((await log('?action=thresholds.change')).length).toBe(3);
    expect(await log('?action=threshold')).toEqual([]);
    expect(await log('?actor=operator')).toMatchObject([{ action: 'settings.switch-detectors' }]);
    expect((await log('?date_from=2026-01-15T12:01:00Z&date_to=2026-01-15T12:02:00Z')).length).toBe(1);
    const first = (await send('GET', '/audit-log?page_size=3')).json;
    const second = (await send('GET', `/audit-log?page_size=3&cursor=${first.next_cursor}`)).json;
    expect([first.total, first.items.length, second.items.length]).toEqual([4, 3, 1]);
  });

  it('is readable by admins of the tenant only', async () => {
    const writer = await http.newKey(tenant.tenantId, ['read', 'write']);
    const stranger = await http.newTenant('stranger');
    const answers = [
      await send('GET', '/audit-log', undefined, writer),
      await send('GET', '/audit-log', undefined, stranger.apiKey),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  });

  it('of the instance records created and deleted tenants', async () => {
    const created = await http.send({
      path: '/api/v1/auth/tenants',
      body: { name: 'short' },
      credential: OPERATOR_TOKEN,
    });
    http.clock.advance(1_000);
    const deletion = {
      method: 'DELETE',
      path: `/api/v1/tenants/${created.json.tenant_id}`,
      credential: OPERATOR_TOKEN,
    };
    expect((await http.send(deletion)).status).toBe(204);
    const answer = await http.send({ path: '/api/v1/audit-log', credential: OPERATOR_TOKEN });
    expect(answer.json.items).toMatchObject([
      { action: 'tenants.delete', actor: 'operator', object_id: created.json.tenant_id, outcome: 'done' },
      { action: 'tenants.create', actor: 'operator', object_id: created.json.tenant_id, outcome: 'done' },
    ]);
    expect(answer.text).not.toContain(created.json.api_key);
    expect((await http.send({ path: '/api/v1/audit-log', credential: tenant.apiKey })).status).toBe(403);
  });
});

describe('an entry of the log', () => {
  const change = (tenantNo: number) => ({
    tenantNo,
    actor: 'operator',
    action: 'test.change',
    fields: [],
    requestId: null,
    readDigest: async () => null,
    objectOf: () => null,
  });
  const outcomes = async () =>
    (
      await http.app.store.db.selectFrom('audit_log').select('outcome').where('action', '=', 'test.change').execute()
    ).map(({ outcome }) => outcome);

  it('is committed with the change: a crash right after it finds both', async () => {
    const { db } = http.app.store;
    await expect(
      http.services.audit.during(change(1), async () => {
        await inTransaction(db, async (transaction) => {
          await transaction.updateTable('tenants').set({ name: 'changed' }).execute();
        });
        expect(await outcomes()).toEqual(['committed']);
        throw new Error('crash');
      }),
    ).rejects.toThrow('crash');
    expect(await outcomes()).toEqual(['internal']);
  });

  it('is rolled back with the change', async () => {
    await expect(
      http.services.audit.during(change(1), () =>
        inTransaction(http.app.store.db, async () => {
          throw new Error('no');
        }),
      ),
    ).rejects.toThrow('no');
    expect(await outcomes()).toEqual([]);
  });

  it('is one, however many transactions there are, also later ones in the background', async () => {
    const { db } = http.app.store;
    const write = () => inTransaction(db, async () => {});
    let later: Promise<void> = Promise.resolve();
    let start = () => {};
    await http.services.audit.during(change(1), async () => {
      later = new Promise<void>((resolve) => {
        start = resolve;
      }).then(write);
    });
    start();
    await later;
    await http.services.audit.during(change(1), async () => {
      await Promise.all([write(), write()]);
      await write();
    });
    expect(await outcomes()).toEqual(['done', 'done']);
  });
});

describe('if the audit entry fails, nothing is changed', () => {
  const KEYS = '/api-keys';
  it.each<[method: string, path: string, body: Json | undefined, seenAt: string]>([
    ['PUT', '/settings/thresholds', { max_steps: 9 }, '/settings/thresholds'],
    ['DELETE', '/settings/thresholds', undefined, '/settings/thresholds'],
    ['PUT', '/settings/detectors', { loop: false }, '/settings/detectors'],
    ['PUT', '/settings/detector-overrides', { loop: 0.9 }, '/settings/detector-overrides'],
    ['PUT', '/settings/calibration', { enabled: false }, '/settings/calibration'],
    ['PUT', '/settings/judge', { enabled: true }, '/settings/judge'],
    ['PUT', '/settings/healing', { policy: 'auto' }, '/settings/healing'],
    ['PUT', '/settings/retention', { retention_days: 9 }, '/settings/retention'],
    ['PUT', '/preferences/notifications', { min_severity: 'critical' }, '/preferences/notifications'],
    ['POST', KEYS, { name: 'robot', scopes: ['read'] }, KEYS],
    ['DELETE', `${KEYS}/<key>`, undefined, KEYS],
    ['POST', '/healing/operations', { detection_id: 'det_one' }, '/healing/operations'],
    ['POST', '/healing/operations/<op>/approve', {}, '/healing/operations/<op>'],
    ['POST', '/detections/det_one/fixes/<fix>/apply', undefined, '/healing/history'],
    ['DELETE', '/traces?date_to=2001-01-01', undefined, '/jobs'],
    ['POST', '/workflow-groups', { name: 'refunds' }, '/workflow-groups'],
  ])('%s %s', async (method, path, body, seenAt) => {
    const { db } = http.app.store;
    await storeDetection(db, tenant.tenantId, 'det_one', { fixes: [FIX] });
    const { operation_id } = (await send('POST', '/healing/operations', { detection_id: 'det_one' })).json;
    const [{ fix_id }] = (await send('GET', '/detections/det_one/fixes')).json.items;
    const other = (await send('POST', KEYS, { name: 'other', scopes: ['read'] })).json.key_id;
    await send('PUT', '/settings/thresholds', { token_budget: 100 });
    const filled = (text: string) =>
      text.replace('<op>', operation_id).replace('<fix>', fix_id).replace('<key>', other);
    const seen = async () => {
      const { status, json } = await send('GET', filled(seenAt));
      expect(status).toBe(200);
      return JSON.parse(JSON.stringify(json).replaceAll(/"last_used_at":[^,}]+/g, '"last_used_at":null'));
    };
    const before = await seen();
    await sql`create trigger full_log before insert on audit_log begin select raise(abort, 'full'); end`.execute(db);
    expect((await send(method, filled(path), body)).status).toBe(500);
    expect(await seen()).toEqual(before);
    await sql`drop trigger full_log`.execute(db);
    expect((await send(method, filled(path), body)).status).toBeLessThan(300);
    expect(await seen()).not.toEqual(before);
  });
});

describe('operations that are logged', () => {
  it('are all that change settings, keys, tenants, detections and healing, and no reads', () => {
    const logged = operations.filter(isLogged).map(({ id }) => id);
    for (const id of [
      'api-keys.create',
      'tenants.create',
      'tenants.delete',
      'healing.execute',
      'alerts.change-preferences',
    ])
      expect(logged).toContain(id);
    expect(operations.filter((one) => isLogged(one) && one.method === 'GET')).toEqual([]);
    expect(logged.some((id) => id.startsWith('security.'))).toBe(false);
    expect(logged).not.toContain('tokens.create');
  });
});
