import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { storeDetection } from '../../../test/support/stored-detection.ts';
import type { Fix } from '../../core/detection.ts';

const GUARD: Fix = {
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
const PROMPT: Fix = {
  ...GUARD,
  fixType: 'prompt_change',
  changes: [{ target: 'planner instructions', format: 'text', before: null, after: 'Do not repeat.' }],
};

let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
  await storeDetection(http.app.store.db, tenant.tenantId, 'det_one', { fixes: [GUARD, PROMPT] });
});
afterEach(() => http.close());

const path = (id = 'det_one') => `/api/v1/tenants/${tenant.tenantId}/detections/${id}/fixes`;
const fixes = async (id?: string) => (await http.send({ path: path(id), credential: tenant.apiKey })).json.items;
const apply = (fixId: string, id = 'det_one', credential: string | null = tenant.apiKey) =>
  http.send({ method: 'POST', path: `${path(id)}/${fixId}/apply`, credential });
const appliedInStore = async () =>
  (await http.app.store.db.selectFrom('detections').select('applied_fixes').executeTakeFirstOrThrow()).applied_fixes;
/** As an analysis does that finds the same with other fixes. */
async function analyzedAgain(found: Fix[]): Promise<void> {
  const { db } = http.app.store;
  const { body } = await db.selectFrom('detections').select('body').executeTakeFirstOrThrow();
  await db
    .updateTable('detections')
    .set({ body: JSON.stringify({ ...JSON.parse(body), fixes: found }) })
    .execute();
}

describe('fixes of a detection', () => {
  it('are listed with ids that name the detection', async () => {
    expect(await fixes()).toMatchObject([
      { fix_id: expect.stringMatching(/^fix_one_[0-9a-f]{8}$/), fix_type: 'loop_guard', applied_at: null },
      { fix_type: 'prompt_change', detection_id: 'det_one', applied_by: null },
    ]);
  });

  it('keep their ids when figures and order change', async () => {
    const [guard, prompt] = await fixes();
    await analyzedAgain([PROMPT, { ...GUARD, title: 'Stop search after 3 rounds', confidence: 0.5 }]);
    expect((await fixes()).map((fix: { fix_id: string }) => fix.fix_id)).toEqual([prompt.fix_id, guard.fix_id]);
  });

  it('that are alike have ids of their own', async () => {
    await analyzedAgain([GUARD, GUARD]);
    const [one, other] = await fixes();
    expect(one.fix_id).not.toBe(other.fix_id);
  });

  it('of an unknown detection are not found', async () => {
    expect((await http.send({ path: path('det_none'), credential: tenant.apiKey })).status).toBe(404);
  });
});

describe('recording a fix as applied', () => {
  it('records time and actor once', async () => {
    const [{ fix_id }] = await fixes();
    const first = await apply(fix_id);
    expect(first).toMatchObject({
      status: 200,
      json: { fix_id, applied_at: '2026-01-15T12:00:00.000Z', applied_by: expect.stringMatching(/^key_/) },
    });
    http.clock.advance(60_000);
    expect((await apply(fix_id)).json).toEqual(first.json);
    expect((await fixes())[0]).toEqual(first.json);
    expect((await fixes())[1].applied_at).toBeNull();
  });

  it('is kept when the trace is analyzed again, even if the fix is no longer suggested', async () => {
    const [{ fix_id }] = await fixes();
    await apply(fix_id);
    await analyzedAgain([PROMPT]);
    expect(await fixes()).toMatchObject([
      { fix_type: 'prompt_change', applied_at: null },
      { fix_id, title: GUARD.title, applied_at: '2026-01-15T12:00:00.000Z' },
    ]);
  });

  it('is not found without detection or fix, and in another tenant', async () => {
    const [{ fix_id }] = await fixes();
    const other = await http.newTenant('other');
    const theirs = `/api/v1/tenants/${other.tenantId}/detections/det_one/fixes/${fix_id}/apply`;
    const answers = [
      await apply('fix_none'),
      await apply(fix_id, 'det_none'),
      await http.send({ method: 'POST', path: theirs, credential: other.apiKey }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404]);
    expect(await appliedInStore()).toBeNull();
  });

  it('is rejected for guests, readers and other tenants', async () => {
    const [{ fix_id }] = await fixes();
    const reader = await http.newKey(tenant.tenantId, ['read']);
    const stranger = await http.newTenant('stranger');
    const answers = [
      await apply(fix_id, 'det_one', null),
      await apply(fix_id, 'det_one', reader),
      await apply(fix_id, 'det_one', stranger.apiKey),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403]);
    expect(await appliedInStore()).toBeNull();
  });

  it('is a conflict if the detection was withdrawn before it was recorded', async () => {
    const [guard, prompt] = await fixes();
    await apply(guard.fix_id);
    await http.app.store.db.updateTable('detections').set({ withdrawn_at: 1 }).execute();
    expect(await apply(prompt.fix_id)).toMatchObject({ status: 409, json: { code: 'conflict' } });
    expect((await apply(guard.fix_id)).status).toBe(200);
  });
});
