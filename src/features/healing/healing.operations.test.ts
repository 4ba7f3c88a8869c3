import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPatch } from 'diff';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type DocumentServer, startDocumentServer } from '../../../test/support/document-server.ts';
import { type HttpFixture, type Received, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { storeDetection } from '../../../test/support/stored-detection.ts';
import { DEFAULT_CONFIG } from '../../app/config.ts';
import { openApp } from '../../app/open-app.ts';
import type { Fix } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';

const PROMPT: Fix = {
  fixType: 'prompt_change',
  title: 'Add a rule to the instructions of planner',
  description: 'Add a rule.',
  rationale: 'It repeats itself.',
  confidence: 0.4,
  risk: 'low',
  changes: [
    {
      target: 'planner instructions',
      format: 'unified-diff',
      before: 'Find hotels.\n',
      after: '--- a/system-prompt\n+++ b/system-prompt\n@@ -1,1 +1,2 @@\n Find hotels.\n+Stop after two.\n',
    },
  ],
  isBreaking: false,
  requiresTesting: true,
};
const GUARD: Fix = {
  ...PROMPT,
  fixType: 'loop_guard',
  title: 'Stop search after 2 rounds',
  confidence: 0.7,
  changes: [{ target: 'search', format: 'text', before: null, after: 'stop at 2' }],
};
const YAML = '# the planner\nprompt: |\n  Find hotels.\nlimit: 24\n';
const HEALED = '# the planner\nprompt: |\n  Find hotels.\n  Stop after two.\nlimit: 24\n';

let http: HttpFixture;
let tenant: Tenant;
let root: string;
let file: string;
let server: DocumentServer;
beforeEach(async () => {
  root = mkdtempSync(join(tmpdir(), 'misstep-heal-'));
  file = join(root, 'planner.yaml');
  writeFileSync(file, YAML);
  server = await startDocumentServer({ prompt: 'Find hotels.', limit: 24 });
  http = await startHttpApp(
    {},
    {
      healingRoots: [{ folder: root, tenantId: null }],
      alerts: { smtp: null, allowPrivateWebhooks: ['127.0.0.0/8'] },
    },
  );
  tenant = await http.newTenant();
  await storeDetection(http.app.store.db, tenant.tenantId, 'det_one', { fixes: [PROMPT, GUARD] });
});
afterEach(async () => {
  await http.close();
  await server.close();
  rmSync(root, { recursive: true, force: true });
});

const base = () => `/api/v1/tenants/${tenant.tenantId}`;
const get = async (path: string) => (await http.send({ path: `${base()}${path}`, credential: tenant.apiKey })).json;
const post = (path: string, body: Json = {}, credential: string | null = tenant.apiKey) =>
  http.send({ method: 'POST', path: `${base()}/healing/operations${path}`, body, credential });
const step = (id: string, name: string, body: Json = {}) => post(`/${id}/${name}`, body);
const fixes = async () => (await get('/detections/det_one/fixes')).items;
const promptFix = async () => (await fixes())[0].fix_id as string;

const IN_FILE = { executor: 'config_file', target: { path: 'planner.yaml', pointer: '/prompt' } };
async function planned(body: Record<string, Json> = {}): Promise<string> {
  const fix: Record<string, Json> = body.changes ? { detection_id: 'det_one' } : { fix_id: await promptFix() };
  const answer = await post('', { ...fix, ...IN_FILE, ...body });
  expect(answer).toMatchObject({ status: 201 });
  return answer.json.operation_id;
}
async function approved(body: Record<string, Json> = {}): Promise<string> {
  const id = await planned(body);
  expect((await step(id, 'approve')).status).toBe(200);
  return id;
}
const outcomeOf = ({ status, json }: Received) => [status, json?.code ?? json?.status];

describe('an operation on a file', () => {
  it('is planned, approved, executed and rolled back, with an event for each step', async () => {
    const created = await post('', { fix_id: await promptFix(), ...IN_FILE });
    expect(created).toMatchObject({
      status: 201,
      json: {
        operation_id: expect.stringMatching(/^op_/),
        detection_id: 'det_one',
        fix_type: 'prompt_change',
        executor: 'config_file',
        target_text: 'planner.yaml /prompt',
        policy: 'manual',
        status: 'pending_approval',
        before: YAML,
        after: HEALED,
        rollback: { available: false },
        created_by: expect.stringMatching(/^key_/),
      },
    });
    const [{ patch, inverse }] = created.json.plan;
    expect(applyPatch(YAML, patch)).toBe(HEALED);
    expect(applyPatch(HEALED, inverse)).toBe(YAML);
    expect(readFileSync(file, 'utf8')).toBe(YAML);
    const id = created.json.operation_id;
    http.clock.advance(1_000);
    expect((await step(id, 'approve', { note: 'go on' })).json).toMatchObject({
      status: 'approved',
      approvals: [{ by: expect.stringMatching(/^key_/), at: '2026-01-15T12:00:01.000Z', note: 'go on' }],
    });
    http.clock.advance(1_000);
    expect((await step(id, 'execute')).json).toMatchObject({
      status: 'applied',
      applied_at: '2026-01-15T12:00:02.000Z',
      verification: { found: 'after' },
      rollback: { available: true, inverse },
      error: null,
    });
    expect(readFileSync(file, 'utf8')).toBe(HEALED);
    http.clock.advance(1_000);
    expect((await step(id, 'rollback')).json).toMatchObject({
      status: 'rolled_back',
      rolled_back_at: '2026-01-15T12:00:03.000Z',
      verification: { found: 'before' },
    });
    expect(readFileSync(file, 'utf8')).toBe(YAML);
    expect((await get('/healing/history')).items).toMatchObject([{ operation_id: id, status: 'rolled_back' }]);
    expect((await get(`/healing/operations/${id}`)).plan).toEqual(created.json.plan);
  });

  it('marks the fix as applied, and a rollback removes the mark', async () => {
    const id = await approved();
    await step(id, 'execute');
    expect((await fixes())[0]).toMatchObject({ applied_at: '2026-01-15T12:00:00.000Z' });
    expect(outcomeOf(await post('', { fix_id: await promptFix() }))).toEqual([409, 'conflict']);
    await step(id, 'rollback');
    expect((await fixes())[0]).toMatchObject({ applied_at: null });
    expect((await get('/healing/history')).total).toBe(1);
  });

  it('is not executed on a file that was changed since it was planned, and can be once it is as it was', async () => {
    const id = await approved();
    writeFileSync(file, `${YAML}# mine\n`);
    expect(outcomeOf(await step(id, 'execute'))).toEqual([409, 'conflict']);
    expect(readFileSync(file, 'utf8')).toBe(`${YAML}# mine\n`);
    expect(await get(`/healing/operations/${id}`)).toMatchObject({
      status: 'approved',
      error: expect.stringContaining('nothing was changed'),
      verification: { found: 'other' },
    });
    writeFileSync(file, YAML);
    expect(outcomeOf(await step(id, 'execute'))).toEqual([200, 'applied']);
  });

  it('is not rolled back over later changes', async () => {
    const id = await approved();
    await step(id, 'execute');
    writeFileSync(file, `${HEALED}# mine\n`);
    expect(outcomeOf(await step(id, 'rollback'))).toEqual([409, 'conflict']);
    expect(readFileSync(file, 'utf8')).toBe(`${HEALED}# mine\n`);
    expect((await get(`/healing/operations/${id}`)).status).toBe('applied');
  });

  it('with a missing file gets an error and stays approved', async () => {
    const id = await approved();
    rmSync(file);
    expect(outcomeOf(await step(id, 'execute'))).toEqual([422, 'invalid_body']);
    expect(existsSync(file)).toBe(false);
    expect((await get(`/healing/operations/${id}`)).status).toBe('approved');
  });

  it('of two that were planned on the same file refuses the second', async () => {
    const [one, other] = [await approved(), await approved()];
    expect(outcomeOf(await step(one, 'execute'))).toEqual([200, 'applied']);
    expect(outcomeOf(await step(other, 'execute'))).toEqual([409, 'conflict']);
    expect(readFileSync(file, 'utf8')).toBe(HEALED);
  });
});

describe('steps', () => {
  it('that the state does not allow are 409 without a change', async () => {
    const id = await planned();
    for (const name of ['execute', 'rollback', 'check'])
      expect(outcomeOf(await step(id, name))).toEqual([409, 'invalid_transition']);
    expect(outcomeOf(await step(id, 'resolve', { outcome: 'applied' }))).toEqual([409, 'invalid_transition']);
    await step(id, 'approve');
    expect(outcomeOf(await step(id, 'approve'))).toEqual([409, 'invalid_transition']);
    await step(id, 'execute');
    for (const name of ['execute', 'approve', 'reject'])
      expect(outcomeOf(await step(id, name))).toEqual([409, 'invalid_transition']);
    expect(readFileSync(file, 'utf8')).toBe(HEALED);
    await step(id, 'rollback');
    for (const name of ['execute', 'rollback'])
      expect(outcomeOf(await step(id, name))).toEqual([409, 'invalid_transition']);
  });

  it('two concurrent execute requests execute once', async () => {
    const id = await approved();
    const answers = await Promise.all([step(id, 'execute'), step(id, 'execute'), step(id, 'execute')]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409]);
    expect(readFileSync(file, 'utf8')).toBe(HEALED);
  });

  it('reject ends it', async () => {
    const id = await planned();
    expect((await step(id, 'reject', { note: 'not so' })).json).toMatchObject({ status: 'rejected', note: 'not so' });
    expect(outcomeOf(await step(id, 'approve'))).toEqual([409, 'invalid_transition']);
  });

  it('check looks again', async () => {
    const id = await approved();
    await step(id, 'execute');
    writeFileSync(file, 'other: 1\n');
    expect((await step(id, 'check')).json).toMatchObject({ status: 'applied', verification: { found: 'other' } });
    rmSync(file);
    expect((await step(id, 'check')).json.verification.found).toBe('unreadable');
  });

  it('check, execute and rollback record nothing about a target that this process may not access', async () => {
    const id = await approved();
    await step(id, 'execute');
    const without = await openApp(
      { ...DEFAULT_CONFIG, dataFolder: http.dataFolder },
      { clock: http.clock, isHeld: true },
    );
    const { healing } = without.services;
    try {
      for (const work of [() => healing.check(tenant.tenantId, id), () => healing.rollback(tenant.tenantId, id)])
        await expect(work()).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringContaining('MISSTEP_HEALING_ROOT'),
        });
    } finally {
      await without.close();
    }
    expect(await get(`/healing/operations/${id}`)).toMatchObject({
      status: 'applied',
      verification: { found: 'after' },
    });
  });
});

describe('a request', () => {
  it.each<[string, Record<string, Json>, number, string]>([
    ['of nothing', {}, 422, '/detection_id'],
    ['of an unknown executor', { detection_id: 'det_one', executor: 'magic' }, 422, '/executor'],
    [
      'of a file elsewhere',
      { detection_id: 'det_one', executor: 'config_file', target: { path: '../x' } },
      422,
      '/target/path',
    ],
    ['without a path', { detection_id: 'det_one', executor: 'config_file', target: {} }, 422, '/target/path'],
    [
      'with an unknown member',
      { detection_id: 'det_one', executor: 'config_file', target: { path: 'a', x: 1 } },
      422,
      '/target/x',
    ],
    ['with no change', { detection_id: 'det_one', changes: [] }, 422, '/changes'],
    [
      'of a change that does not fit',
      { ...IN_FILE, detection_id: 'det_one', changes: [{ format: 'text', before: 'Book', after: 'x' }] },
      422,
      '/changes/0',
    ],
    [
      'of a change that is made already',
      { ...IN_FILE, detection_id: 'det_one', changes: [{ format: 'text', before: 'hotels', after: 'hotels' }] },
      422,
      '/changes',
    ],
  ])('%s is refused at %4$s', async (_title, body, status, pointer) => {
    expect(await post('', body)).toMatchObject({ status, json: { errors: [{ pointer }] } });
    expect((await get('/healing/operations')).total).toBe(0);
  });

  it('of a detection or fix that there is not is not found', async () => {
    const other = await http.newTenant('other');
    await storeDetection(http.app.store.db, other.tenantId, 'det_two', { fixes: [GUARD] });
    const answers = [
      await post('', { detection_id: 'det_none' }),
      await post('', { detection_id: 'det_two' }),
      await post('', { fix_id: 'fix_none' }),
      await post('', { detection_id: 'det_one', fix_id: 'fix_one_00000000' }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('of a withdrawn detection, or one without a fix, is a conflict', async () => {
    await storeDetection(http.app.store.db, tenant.tenantId, 'det_old', { fixes: [GUARD], withdrawnAt: 1 });
    await storeDetection(http.app.store.db, tenant.tenantId, 'det_bare');
    for (const detection_id of ['det_old', 'det_bare'])
      expect(outcomeOf(await post('', { detection_id }))).toEqual([409, 'conflict']);
  });

  it('is rejected for guests, readers and other tenants', async () => {
    const id = await approved();
    const reader = await http.newKey(tenant.tenantId, ['read']);
    const stranger = await http.newTenant('stranger');
    for (const path of ['', `/${id}/execute`]) {
      const answers = [
        await post(path, {}, null),
        await post(path, {}, reader),
        await post(path, {}, stranger.apiKey),
        await http.send({
          method: 'POST',
          path: `/api/v1/tenants/${stranger.tenantId}/healing/operations/${id}/execute`,
          credential: stranger.apiKey,
        }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([401, 403, 403, 404]);
    }
    expect(readFileSync(file, 'utf8')).toBe(YAML);
  });
});

describe('lists', () => {
  it('are filtered and paged', async () => {
    const ids = [
      await planned(),
      await planned(),
      await approved({ fix_id: (await fixes())[1].fix_id, executor: 'manual', target: {} }),
    ];
    expect(
      (await get('/healing/operations')).items.map((item: { operation_id: string }) => item.operation_id).sort(),
    ).toEqual(ids.toSorted());
    expect((await get('/healing/operations?status=approved')).items).toMatchObject([{ operation_id: ids[2] }]);
    expect((await get('/healing/operations?fix_type=loop_guard')).total).toBe(1);
    const first = await get('/healing/operations?page_size=2');
    const second = await get(`/healing/operations?page_size=2&cursor=${first.next_cursor}`);
    const seen = [...first.items, ...second.items].map((item: { operation_id: string }) => item.operation_id);
    expect(new Set(seen)).toEqual(new Set(ids));
    expect(
      (await http.send({ path: `${base()}/healing/operations?status=odd`, credential: tenant.apiKey })).status,
    ).toBe(400);
  });

  it('of history are paged, last applied first', async () => {
    const one = await approved({ changes: [{ format: 'text', before: 'Find', after: 'Seek' }] });
    await step(one, 'execute');
    http.clock.advance(1_000);
    const two = await approved({ changes: [{ format: 'text', before: 'Seek', after: 'Find' }] });
    await step(two, 'execute');
    await planned();
    const first = await get('/healing/history?page_size=1');
    expect([first.total, first.items[0].operation_id]).toEqual([2, two]);
    expect((await get(`/healing/history?page_size=1&cursor=${first.next_cursor}`)).items[0].operation_id).toBe(one);
  });
});

describe('what is done by hand', () => {
  it('shows its plan, and a person records how it went', async () => {
    const created = await post('', { detection_id: 'det_one' });
    expect(created.json).toMatchObject({
      executor: 'manual',
      fix_type: 'loop_guard',
      target_text: 'search',
      plan: [{ step: 1, description: 'Change search', patch: 'stop at 2', inverse: null }],
      before: null,
      rollback: { available: false, inverse: null },
    });
    const id = created.json.operation_id;
    await step(id, 'approve');
    expect(outcomeOf(await step(id, 'execute'))).toEqual([200, 'executing']);
    expect(outcomeOf(await step(id, 'execute'))).toEqual([409, 'invalid_transition']);
    http.clock.advance(86_400_000);
    expect((await get(`/healing/operations/${id}`)).status).toBe('executing');
    expect(outcomeOf(await step(id, 'resolve', { outcome: 'rolled_back' }))).toEqual([409, 'invalid_transition']);
    expect((await step(id, 'resolve', { outcome: 'applied', note: 'done in the editor' })).json).toMatchObject({
      status: 'applied',
      applied_at: '2026-01-16T12:00:00.000Z',
      note: 'done in the editor',
    });
    expect((await fixes())[1].applied_at).toBe('2026-01-16T12:00:00.000Z');
    expect(outcomeOf(await step(id, 'rollback'))).toEqual([200, 'executing']);
    expect(outcomeOf(await step(id, 'resolve', { outcome: 'rolled_back' }))).toEqual([200, 'rolled_back']);
    expect((await fixes())[1].applied_at).toBeNull();
  });

  it('and recorded with the detection is in the history', async () => {
    const fixId = await promptFix();
    const path = `${base()}/detections/det_one/fixes/${fixId}/apply`;
    for (let times = 0; times < 2; times += 1) await http.send({ method: 'POST', path, credential: tenant.apiKey });
    expect(await get('/healing/history')).toMatchObject({
      total: 1,
      items: [{ fix_id: fixId, executor: 'manual', status: 'applied', target_text: 'planner instructions' }],
    });
    const [{ operation_id: id }] = (await get('/healing/history')).items;
    expect((await get(`/healing/operations/${id}`)).plan[0].inverse).toContain('-Stop after two.');
  });
});

describe("a tenant's settings", () => {
  const LIMIT = { format: 'json-patch', after: '[{"op":"add","path":"/global/token_budget","value":5000}]' };
  const thresholds = async () => (await get('/settings/thresholds')).global;
  const request = (change: Json = LIMIT, setting = 'thresholds') => ({
    detection_id: 'det_one',
    executor: 'settings',
    target: { setting },
    changes: [change],
  });
  const run = async (body: Record<string, Json>) => {
    const { operation_id: id } = (await post('', body)).json;
    await step(id, 'approve');
    await step(id, 'execute');
    return id;
  };

  it('are changed and changed back', async () => {
    const id = await run(request());
    expect(await thresholds()).toEqual({ token_budget: 5000 });
    expect((await step(id, 'rollback')).json.status).toBe('rolled_back');
    expect(await thresholds()).toEqual({});
    const overrides = { format: 'json-patch', after: '[{"op":"add","path":"/loop","value":0.9}]' };
    await run(request(overrides, 'detector_overrides'));
    expect((await get('/settings/detector-overrides')).loop.override).toBe(0.9);
  });

  it('are not changed over later changes', async () => {
    const { operation_id: id } = (await post('', request())).json;
    await step(id, 'approve');
    await http.send({
      method: 'PUT',
      path: `${base()}/settings/thresholds`,
      body: { max_steps: 9 },
      credential: tenant.apiKey,
    });
    expect(outcomeOf(await step(id, 'execute'))).toEqual([409, 'conflict']);
    expect(await thresholds()).toEqual({ max_steps: 9 });
  });

  it.each([
    ['/global/token_budget', '-1'],
    ['/global/unknown', '1'],
    ['/global/context_warning_ratio', '0.99'],
    ['/global/token_budget', 'null'],
  ])('%s cannot be %s', async (path, value) => {
    const answer = await post(
      '',
      request({ format: 'json-patch', after: `[{"op":"add","path":"${path}","value":${value}}]` }),
    );
    expect(answer).toMatchObject({ status: 422, json: { errors: [{ pointer: '/changes' }] } });
  });
});

describe('a document behind a URL', () => {
  const target = () => ({ url: server.url, pointer: '/prompt', headers: { Authorization: 'Bearer s3cret' } });

  it('is changed and changed back, and its credential is never shown', async () => {
    const id = await approved({ executor: 'http_json', target: target() });
    const done = await step(id, 'execute');
    expect(done.json).toMatchObject({ status: 'applied', target: { headers: { Authorization: '****' } } });
    expect(server.document).toEqual({ prompt: 'Find hotels.\nStop after two.', limit: 24 });
    await step(id, 'rollback');
    expect(server.document).toEqual({ prompt: 'Find hotels.', limit: 24 });
    expect(server.requests.every(({ authorization }) => authorization === 'Bearer s3cret')).toBe(true);
    const shown = [await get('/healing/operations'), await get(`/healing/operations/${id}`), done.json];
    expect(JSON.stringify(shown)).not.toContain('s3cret');
    const [row] = await http.app.store.db.selectFrom('healing_operations').selectAll().execute();
    expect(JSON.stringify(row)).not.toMatch(/s3cret|Authorization/);
  });

  it.each<[string, DocumentServer['fault'], string, string]>([
    ['fails without having been written', { status: 500, hasWritten: false }, 'failed', 'before'],
    ['was written though the answer says otherwise', { status: 500, hasWritten: true }, 'applied', 'after'],
  ])('whose change %s is looked at', async (_title, fault, status, found) => {
    const id = await approved({ executor: 'http_json', target: target() });
    server.fault = fault;
    expect((await step(id, 'execute')).json).toMatchObject({ status, verification: { found } });
  });

  it('that is executing accepts no outcome', async () => {
    const id = await approved({ executor: 'http_json', target: target() });
    const [begun, mayWrite] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    server.beforeWrite = () => {
      begun.resolve();
      return mayWrite.promise;
    };
    const executed = step(id, 'execute');
    await begun.promise;
    const refused = await step(id, 'resolve', { outcome: 'failed' });
    mayWrite.resolve();
    expect(outcomeOf(refused)).toEqual([409, 'invalid_transition']);
    expect(outcomeOf(await executed)).toEqual([200, 'applied']);
    expect(server.document).toMatchObject({ prompt: 'Find hotels.\nStop after two.' });
  });

  it('with other content after the change is unknown until a person resolves it', async () => {
    const id = await approved({ executor: 'http_json', target: target() });
    server.store = () => ({ prompt: 'half' });
    expect((await step(id, 'execute')).json).toMatchObject({ status: 'unknown', verification: { found: 'other' } });
    expect(outcomeOf(await step(id, 'execute'))).toEqual([409, 'invalid_transition']);
    server.document = { prompt: 'Find hotels.', limit: 24 };
    expect((await step(id, 'check')).json).toMatchObject({ status: 'unknown', verification: { found: 'before' } });
    expect(outcomeOf(await step(id, 'resolve', { outcome: 'failed' }))).toEqual([200, 'failed']);
  });
});

describe('the policy', () => {
  const put = (body: Json) =>
    http.send({ method: 'PUT', path: `${base()}/settings/healing`, body, credential: tenant.apiKey });

  it('is manual at first', async () => {
    expect(await get('/settings/healing')).toEqual({ policy: 'manual', fix_types: {}, max_per_day: 5 });
  });

  it('with automatic approval executes at once, up to the daily limit', async () => {
    await put({ policy: 'auto', fix_types: { prompt_change: { max_risk: 'low' } }, max_per_day: 1 });
    const first = await post('', { fix_id: await promptFix(), ...IN_FILE });
    expect(first.json).toMatchObject({ policy: 'auto', status: 'applied', approvals: [{ by: 'policy' }] });
    expect(readFileSync(file, 'utf8')).toBe(HEALED);
    await step(first.json.operation_id, 'rollback');
    expect((await post('', { fix_id: await promptFix(), ...IN_FILE })).json.status).toBe('pending_approval');
    http.clock.advance(86_400_000);
    expect((await post('', { fix_id: await promptFix(), ...IN_FILE })).json.status).toBe('applied');
  });

  it('requires approval for own changes and manual operations', async () => {
    await put({ policy: 'auto', fix_types: { prompt_change: { max_risk: 'high' }, loop_guard: { max_risk: 'high' } } });
    const changes = [{ format: 'text', before: 'Find', after: 'Seek' }];
    expect((await post('', { fix_id: await promptFix(), ...IN_FILE, changes })).json.status).toBe('pending_approval');
    expect((await post('', { detection_id: 'det_one' })).json.status).toBe('pending_approval');
  });

  it.each<Json>([
    { policy: 'always' },
    { fix_types: { magic: { max_risk: 'low' } } },
    { max_per_day: -1 },
    { other: 1 },
  ])('%j is refused', async (body) => expect((await put(body)).status).toBe(422));
});
