import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { storeDetection } from '../../../test/support/stored-detection.ts';
import type { Detection } from '../../core/detection.ts';
import type { Json } from '../../core/json.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
  await store('det_fired', { confidence: 0.8 });
  await store('det_seen', { severity: 'observation', confidence: 0.3 });
});
afterEach(() => http.close());

const store = (id: string, overrides: Parameters<typeof storeDetection>[3] = {}, of = tenant) =>
  storeDetection(http.app.store.db, of.tenantId, id, overrides);
const base = (of = tenant) => `/api/v1/tenants/${of.tenantId}`;
const post = (path: string, body: Json, credential: string | null = tenant.apiKey) =>
  http.send({ method: 'POST', path: `${base()}${path}`, credential, body });
const get = (path: string, credential: string | null = tenant.apiKey) =>
  http.send({ path: `${base()}${path}`, credential });
const say = (detection_id: string, feedback_type: string, comment?: string) =>
  post('/feedback', { detection_id, feedback_type, ...(comment === undefined ? {} : { comment }) });
const rows = () => http.app.store.db.selectFrom('feedback').selectAll().execute();
const detection = (id: string) =>
  http.app.store.db.selectFrom('detections').selectAll().where('detection_id', '=', id).executeTakeFirstOrThrow();

describe('submitting feedback', () => {
  it('is kept, and is the validation of the detection', async () => {
    const answer = await say('det_fired', 'false_positive', 'it was asked to');
    expect(answer).toMatchObject({
      status: 201,
      json: {
        feedback_id: expect.stringMatching(/^fbk_[0-9a-z]{26}$/),
        detection_id: 'det_fired',
        detection_type: 'loop',
        feedback_type: 'false_positive',
        is_valid: false,
        comment: 'it was asked to',
        source: 'feedback',
        is_current: true,
        created_by: expect.stringMatching(/^key_/),
        created_at: '2026-01-15T12:00:00.000Z',
      },
    });
    expect((await get('/detections/det_fired')).json).toMatchObject({
      validated: true,
      validation: { is_valid: false, feedback: 'it was asked to', at: '2026-01-15T12:00:00.000Z' },
    });
    expect(await rows()).toHaveLength(1);
  });

  it.each([
    ['true_positive', 'det_fired', 1],
    ['false_positive', 'det_fired', 0],
    ['false_negative', 'det_seen', 1],
    ['true_negative', 'det_seen', 0],
  ])('%s of %s is stored with is_valid %d', async (type, id, isValid) => {
    expect((await say(id, type)).status).toBe(201);
    expect(await detection(id)).toMatchObject({ validated: 1, is_valid: isValid, feedback: null });
  });

  it.each<[string, Json, string]>([
    ['no detection', { feedback_type: 'true_positive' }, '/detection_id'],
    ['no type', { detection_id: 'det_fired' }, '/feedback_type'],
    ['an unknown type', { detection_id: 'det_fired', feedback_type: 'maybe' }, '/feedback_type'],
    [
      'a comment that is no text',
      { detection_id: 'det_fired', feedback_type: 'true_positive', comment: 1 },
      '/comment',
    ],
    [
      'a comment that is too long',
      { detection_id: 'det_fired', feedback_type: 'true_positive', comment: 'x'.repeat(4_001) },
      '/comment',
    ],
    ['a member that is not known', { detection_id: 'det_fired', feedback_type: 'true_positive', note: 'x' }, '/note'],
  ])('is refused with %s, and changes nothing', async (_name, body, pointer) => {
    const answer = await post('/feedback', body);
    expect(answer).toMatchObject({ status: 422, json: { code: 'invalid_body' } });
    expect(answer.json.errors.map((error: { pointer: string }) => error.pointer)).toContain(pointer);
    expect(await rows()).toEqual([]);
    expect(await detection('det_fired')).toMatchObject({ validated: 0, feedback_id: null });
  });

  it('on an unknown detection or one of another tenant is not found', async () => {
    const other = await http.newTenant('other');
    await store('det_theirs', {}, other);
    for (const id of ['det_none', 'det_theirs'])
      expect(await say(id, 'true_positive')).toMatchObject({ status: 404, json: { code: 'not_found' } });
    expect(await rows()).toEqual([]);
  });

  it('needs the scope write of the own tenant', async () => {
    const body = { detection_id: 'det_fired', feedback_type: 'true_positive' };
    const reader = await http.newKey(tenant.tenantId, ['read', 'ingest']);
    const stranger = await http.newTenant('stranger');
    const answers = [
      await post('/feedback', body, null),
      await post('/feedback', body, reader),
      await post('/feedback', body, stranger.apiKey),
    ];
    expect(answers.map(({ status }) => status)).toEqual([401, 403, 403]);
    expect(await rows()).toEqual([]);
  });

  it('with an idempotency key is kept once', async () => {
    const once = () =>
      http.send({
        method: 'POST',
        path: `${base()}/feedback`,
        credential: tenant.apiKey,
        headers: { 'Idempotency-Key': 'one' },
        body: { detection_id: 'det_fired', feedback_type: 'true_positive' },
      });
    const [first, second] = [await once(), await once()];
    expect(second.json).toEqual(first.json);
    expect(await rows()).toHaveLength(1);
  });
});

describe('withdrawing feedback', () => {
  const withdraw = (id: string, credential: string | null = tenant.apiKey) =>
    http.send({ method: 'DELETE', path: `${base()}/feedback/${id}`, credential });

  it('leaves the detection without a validation', async () => {
    const { feedback_id } = (await say('det_fired', 'false_positive', 'a slip')).json;
    expect(await withdraw(feedback_id)).toMatchObject({
      status: 200,
      json: { detection_id: 'det_fired', validated: false, validation: null },
    });
    expect(await rows()).toEqual([]);
    expect(await detection('det_fired')).toMatchObject({ validated: 0, is_valid: null, feedback_id: null });
  });

  it('makes the feedback before it count again', async () => {
    await say('det_fired', 'true_positive', 'first');
    http.clock.advance(1_000);
    const second = (await say('det_fired', 'false_positive', 'second')).json;
    expect((await withdraw(second.feedback_id)).json).toMatchObject({
      validation: { is_valid: true, feedback: 'first' },
    });
  });

  it('that is not current changes nothing else', async () => {
    const first = (await say('det_fired', 'true_positive', 'first')).json;
    http.clock.advance(1_000);
    await say('det_fired', 'false_positive', 'second');
    expect((await withdraw(first.feedback_id)).json).toMatchObject({
      validation: { is_valid: false, feedback: 'second' },
    });
    expect(await rows()).toHaveLength(1);
  });

  it('of another tenant, or twice, is not found', async () => {
    const other = await http.newTenant('other');
    const { feedback_id } = (await say('det_fired', 'true_positive')).json;
    const path = `${base(other)}/feedback/${feedback_id}`;
    expect((await http.send({ method: 'DELETE', path, credential: other.apiKey })).status).toBe(404);
    expect((await withdraw(feedback_id)).status).toBe(200);
    expect(await withdraw(feedback_id)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  it('needs the scope write', async () => {
    const { feedback_id } = (await say('det_fired', 'true_positive')).json;
    expect((await withdraw(feedback_id, await http.newKey(tenant.tenantId, ['read', 'ingest']))).status).toBe(403);
    expect(await rows()).toHaveLength(1);
  });
});

describe('a validation', () => {
  it.each([
    ['det_fired', true, 'true_positive'],
    ['det_fired', false, 'false_positive'],
    ['det_seen', true, 'false_negative'],
    ['det_seen', false, 'true_negative'],
  ])('of %s as %s is feedback: %s', async (id, is_valid, type) => {
    const answer = await post(`/detections/${id}/validate`, { is_valid, feedback: 'looked' });
    expect(answer).toMatchObject({
      status: 200,
      json: { detection_id: id, validated: true, validation: { is_valid, feedback: 'looked' } },
    });
    expect((await get('/feedback')).json.items).toMatchObject([
      { detection_id: id, feedback_type: type, source: 'validation', comment: 'looked', is_current: true },
    ]);
  });

  it.each<[string, Json, string]>([
    ['nothing', {}, '/is_valid'],
    ['text for a truth', { is_valid: 'false' }, '/is_valid'],
    ['a comment that is no text', { is_valid: true, feedback: {} }, '/feedback'],
  ])('is refused with %s', async (_name, body, pointer) => {
    const answer = await post('/detections/det_fired/validate', body);
    expect(answer).toMatchObject({ status: 422, json: { errors: [{ pointer }] } });
    expect(await rows()).toEqual([]);
  });

  it('of an unknown detection is not found', async () => {
    expect(await post('/detections/det_none/validate', { is_valid: true })).toMatchObject({ status: 404 });
  });
});

describe('the newest word', () => {
  it('counts, whichever way it came; the list shows all', async () => {
    await say('det_fired', 'true_positive');
    http.clock.advance(1_000);
    await post('/detections/det_fired/validate', { is_valid: false });
    http.clock.advance(1_000);
    await say('det_seen', 'false_negative');
    const { items, total } = (await get('/feedback')).json;
    expect(total).toBe(3);
    expect(
      items.map((word: Record<string, Json>) => [word.detection_id, word.feedback_type, word.source, word.is_current]),
    ).toEqual([
      ['det_seen', 'false_negative', 'feedback', true],
      ['det_fired', 'false_positive', 'validation', true],
      ['det_fired', 'true_positive', 'feedback', false],
    ]);
    const stats = (await get('/feedback/stats')).json;
    expect(stats.items).toMatchObject([
      {
        detection_type: 'loop',
        true_positives: 0,
        false_positives: 1,
        true_negatives: 0,
        false_negatives: 1,
        precision: 0,
        recall: 0,
        f1: 0,
        samples: 2,
      },
    ]);
  });

  it('is in the list of the detections that were validated', async () => {
    await say('det_fired', 'true_positive');
    const list = async (query: string) =>
      (await get(`/detections?${query}`)).json.items.map((item: { detection_id: string }) => item.detection_id);
    expect(await list('validated=true')).toEqual(['det_fired']);
    expect(await list('validated=false')).toEqual([]);
    expect(await list('validated=false&min_severity=observation')).toEqual(['det_seen']);
  });
});

describe('the list', () => {
  it('is paged, filtered, and the tenant’s own', async () => {
    await store('det_tool', { type: 'tool_failure', subtype: 'auth' });
    for (const [id, type] of [
      ['det_fired', 'true_positive'],
      ['det_tool', 'false_positive'],
      ['det_seen', 'true_negative'],
    ] as const) {
      await say(id, type);
      http.clock.advance(1_000);
    }
    const ids = async (query: string) =>
      (await get(`/feedback?${query}`)).json.items.map((item: { detection_id: string }) => item.detection_id);
    expect(await ids('detection_type=loop')).toEqual(['det_seen', 'det_fired']);
    expect(await ids('feedback_type=false_positive')).toEqual(['det_tool']);
    expect(await ids('detection_id=det_fired')).toEqual(['det_fired']);
    const first = (await get('/feedback?page_size=2')).json;
    expect(first).toMatchObject({ total: 3, has_more: true });
    expect(await ids(`page_size=2&cursor=${first.next_cursor}`)).toEqual(['det_fired']);
    const other = await http.newTenant('other');
    const theirs = await http.send({ path: `${base(other)}/feedback`, credential: other.apiKey });
    expect(theirs.json).toMatchObject({ items: [], total: 0 });
  });

  it.each(['feedback_type=maybe', 'detection_type=bogus', 'page=0', 'said=x'])('refuses %s', async (query) => {
    expect(await get(`/feedback?${query}`)).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
  });
});

describe('recommendations', () => {
  async function sayMany(
    groups: [confidence: number, real: number, falseCount: number][],
    { type, subtype }: Pick<Detection, 'type' | 'subtype'> = { type: 'loop', subtype: 'cyclic' },
  ): Promise<void> {
    for (const [confidence, real, falseCount] of groups) {
      for (let number = 0; number < real + falseCount; number += 1) {
        const id = `det_${subtype}_${confidence}_${number}`;
        await store(id, { type, subtype, confidence });
        await say(id, number < real ? 'true_positive' : 'false_positive');
      }
    }
  }

  it('stay silent on few samples', async () => {
    await sayMany([
      [0.55, 0, 9],
      [0.9, 9, 0],
    ]);
    expect((await get('/feedback/recommendations')).json).toMatchObject({
      goal: 'f1',
      minimum: { samples: 20, each: 5 },
      items: [{ detector: 'loop', subtype: 'cyclic', action: 'none', recommended: null, apply: null, samples: 18 }],
    });
  });

  it('contain the request that applies them, and change nothing themselves', async () => {
    await http.send({
      method: 'PUT',
      path: `${base()}/settings/detector-overrides`,
      credential: tenant.apiKey,
      body: { loop: 0.5 },
    });
    await sayMany([
      [0.55, 1, 11],
      [0.9, 12, 0],
    ]);
    const [advice] = (await get('/feedback/recommendations')).json.items;
    expect(advice).toMatchObject({
      detector: 'loop',
      subtype: 'cyclic',
      action: 'raise',
      current: 0.5,
      current_source: 'override',
      recommended: 0.725,
      samples: 24,
      real: 13,
      before: { precision: 0.5417, f1: 0.7027 },
      after: { precision: 1, f1: 0.96, interval: { precision: [0.7575, 1] } },
      moved: { labelled: 12, real: 1 },
    });
    const { method, path, body } = advice.apply;
    const loop = async () => (await get('/settings/detector-overrides')).json.loop;
    expect((await loop()).subtypes.cyclic.effective).toBe(0.5);
    expect((await http.send({ method, path, body, credential: tenant.apiKey })).status).toBe(200);
    expect((await loop()).subtypes.cyclic).toMatchObject({ override: 0.725, effective: 0.725, source: 'override' });
    expect([(await loop()).effective, (await loop()).subtypes.stalled.effective]).toEqual([0.5, 0.5]);
    expect((await get('/feedback/recommendations')).json.items).toMatchObject([{ action: 'keep', recommended: null }]);
  });

  it('set the threshold 1 for a mostly false subtype of facts if a precision is wanted, and keep other subtypes', async () => {
    await sayMany([[0.95, 2, 22]], { type: 'loop', subtype: 'exact_repetition' });
    await sayMany([[0.95, 22, 2]], { type: 'loop', subtype: 'cyclic' });
    const PRECISE = '/feedback/recommendations?goal=precision&target_precision=0.9';
    const forF1 = (await get('/feedback/recommendations')).json.items;
    expect(forF1.map(({ recommended }: { recommended: number | null }) => recommended)).toEqual([null, null]);
    const [cyclic, repetition] = (await get(PRECISE)).json.items;
    expect(cyclic).toMatchObject({ subtype: 'cyclic', recommended: null, before: { true_positives: 22 } });
    expect(repetition).toMatchObject({
      subtype: 'exact_repetition',
      action: 'raise',
      recommended: 1,
      before: { true_positives: 2, false_positives: 22 },
      after: { true_positives: 0, false_positives: 0 },
      moved: { labelled: 24, real: 2 },
      apply: { body: { 'loop/exact_repetition': 1 } },
    });
    expect(repetition.reason).toMatch(
      /^24 labelled detections would no longer fire, 2 of them real: all have the same/,
    );
    const { method, path, body } = repetition.apply;
    await http.send({ method, path, body, credential: tenant.apiKey });
    expect((await get(PRECISE)).json.items[1]).toMatchObject({
      current: 1,
      current_source: 'override',
      recommended: null,
      before: { true_positives: 0, false_positives: 0 },
    });
  });

  it('state that no threshold reports a preview or a disabled detector', async () => {
    await sayMany([[0.6, 20, 5]], { type: 'derailment', subtype: 'unrelated_answer' });
    await sayMany([[0.6, 20, 5]]);
    const switches = (body: Json) =>
      http.send({ method: 'PUT', path: `${base()}/settings/detectors`, credential: tenant.apiKey, body });
    await switches({ loop: false });
    const [preview, off] = (await get('/feedback/recommendations')).json.items;
    expect(preview).toMatchObject({ action: 'none', recommended: null, before: { true_positives: 0 } });
    expect(preview.reason).toMatch(/in preview.*misstep detectors enable derailment/);
    expect(off).toMatchObject({ action: 'none', recommended: null, before: { true_positives: 0 } });
    expect(off.reason).toMatch(/is off.*misstep detectors enable loop/);
    await switches({ derailment: true, loop: null });
    const [reported] = (await get('/feedback/recommendations')).json.items;
    expect(reported.before).toMatchObject({ true_positives: 20, false_positives: 5 });
  });

  it('aim at the requested precision', async () => {
    const answer = await get('/feedback/recommendations?goal=precision&target_precision=0.8&detection_type=loop');
    expect(answer.json).toMatchObject({ goal: 'precision', target_precision: 0.8, items: [] });
  });

  it.each(['goal=best', 'goal=precision&target_precision=1.1', 'detection_type=bogus'])('reject %s', async (query) => {
    expect(await get(`/feedback/recommendations?${query}`)).toMatchObject({ status: 400 });
  });
});

it('is deleted with its tenant', async () => {
  await say('det_fired', 'true_positive');
  await http.services.tenants.delete(tenant.tenantId);
  expect(await rows()).toEqual([]);
});
