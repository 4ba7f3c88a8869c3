import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import type { Json } from '../core/json.ts';

let http: HttpFixture;
let mine: Tenant;
let other: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  mine = await http.newTenant('mine');
  other = await http.newTenant('other');
  // `asked_again` is in preview: it is an observation until the detector is switched on.
  const path = `/api/v1/tenants/${mine.tenantId}/settings/detectors`;
  const answer = await http.send({ method: 'PUT', path, body: { context_neglect: true }, credential: mine.apiKey });
  expect(answer.status).toBe(200);
});
afterAll(() => http.close());

const base = (tenant: Tenant) => `/api/v1/tenants/${tenant.tenantId}/conversations`;
const ingest = (tenant: Tenant, body: Json, credential = tenant.apiKey) =>
  http.send({ path: `${base(tenant)}/ingest`, body, credential });
const get = (tenant: Tenant, path: string, credential = tenant.apiKey) =>
  http.send({ path: `${base(tenant)}${path}`, credential });
const analyze = (tenant: Tenant, id: string) =>
  http.send({ method: 'POST', path: `${base(tenant)}/${id}/analyze`, credential: tenant.apiKey });
const rows = () => http.app.store.db.selectFrom('conversations').selectAll().execute();

const chat = (...turns: [role: string, content: string][]) => ({
  format: 'generic',
  data: { turns: turns.map(([role, content]) => ({ role, content })) },
});
const HELLO = chat(['user', 'When do you open?'], ['assistant', 'At nine.']);
const FORGETFUL = chat(
  ['user', 'I want to return a kettle. My mail is ida@example.org.'],
  ['assistant', 'Sure! Could you please provide your email address?'],
);

describe('POST /conversations/ingest', () => {
  it('stores a conversation and answers with its record', async () => {
    const { status, json } = await ingest(mine, HELLO);
    expect(status).toBe(201);
    expect(json).toMatchObject({
      conversation_id: expect.stringMatching(/^conv_[0-9a-hjkmnp-tv-z]{26}$/),
      trace_id: expect.stringMatching(/^[0-9a-f]{32}$/),
      format: 'generic',
      framework: 'unknown',
      participants: ['user', 'assistant'],
      turn_count: 2,
      started_at: '2026-01-15T12:00:00.000Z',
      ended_at: null,
      failure_modes: [],
      analyzed: false,
      rejected_items: 0,
      errors: [],
    });
  });

  describe('a large body, which a worker decodes,', () => {
    const turns = (count: number): [string, string][] =>
      Array.from({ length: count }, (_, at) => [at % 2 === 0 ? 'user' : 'assistant', `turn ${at}`]);
    const large = (count: number, more: object = {}) => ({
      format: 'generic',
      data: { ...chat(...turns(count)).data, conversation_id: 'long', ...more },
    });

    it('is stored, is unchanged when it is sent again, and grows', async () => {
      const first = await ingest(mine, large(1_500));
      expect(first).toMatchObject({ status: 201, json: { turn_count: 1_500, participants: ['user', 'assistant'] } });
      expect((await ingest(mine, large(1_500))).json).toEqual(first.json);
      const grown = await ingest(mine, large(1_600));
      expect(grown.json).toMatchObject({
        conversation_id: (first.json as { conversation_id: string }).conversation_id,
        turn_count: 1_600,
        started_at: (first.json as { started_at: string }).started_at,
      });
    });

    it.each<[string, Json, number, string]>([
      ['whose format is unknown', { ...large(1_500), format: 'none' }, 422, '/format'],
      ['with an unknown member', { ...large(1_500), more: 1 }, 422, '/more'],
      ['without a turn', { format: 'generic', data: { turns: Array(5_000).fill(1) } }, 422, '/data/turns/0'],
    ])('%s is refused with the position of the error', async (_name, body, status, pointer) => {
      const answer = await ingest(mine, body);
      expect(answer.status).toBe(status);
      expect((answer.json as { errors: { pointer: string }[] }).errors[0]).toMatchObject({ pointer });
    });

    it('runs once for an Idempotency-Key', async () => {
      const send = (body: Json) =>
        http.send({
          path: `${base(mine)}/ingest`,
          body,
          credential: mine.apiKey,
          headers: { 'Idempotency-Key': 'large-1' },
        });
      const first = await send(large(1_700));
      expect((await send(large(1_700))).json).toEqual(first.json);
      expect(await send(large(1_701))).toMatchObject({ status: 422 });
    });
  });

  it('changes nothing when it is sent again', async () => {
    const first = await ingest(mine, HELLO);
    const before = await rows();
    http.clock.advance(60_000);
    const second = await ingest(mine, HELLO);
    expect(second.json).toEqual(first.json);
    expect(await rows()).toEqual(before);
  });

  it('grows under the same name', async () => {
    const named = (turns: number) => ({
      format: 'generic',
      data: {
        conversation_id: 'desk-7',
        turns: Array.from({ length: turns }, (_, at) => ({ role: 'user', content: `word ${at}` })),
      },
    });
    const first = await ingest(mine, named(2));
    http.clock.advance(60_000);
    const second = await ingest(mine, named(3));
    expect(second.json).toMatchObject({
      conversation_id: first.json.conversation_id,
      started_at: first.json.started_at,
      turn_count: 3,
    });
    const turns = await get(mine, `/${first.json.conversation_id}/turns`);
    expect(turns.json.items.map(({ content }: { content: string }) => content)).toEqual(['word 0', 'word 1', 'word 2']);
  });

  it('keeps the trace id that was sent', async () => {
    const { json } = await ingest(mine, {
      format: 'generic',
      data: { trace_id: 'desk/8', turns: [{ role: 'user', content: 'Hello?' }] },
    });
    expect(json.trace_id).toBe('desk/8');
    expect(
      await http.send({ path: `/api/v1/tenants/${mine.tenantId}/traces/desk%2F8`, credential: mine.apiKey }),
    ).toMatchObject({
      status: 200,
      json: { span_count: 1 },
    });
  });

  it('rejects single items and stores the rest', async () => {
    const data: Json = {
      turns: [{ role: 'user', content: 'Hi' }, 7, { content: 'no role' }, { role: 'assistant', content: ['x', 4] }],
    };
    const { status, json } = await ingest(mine, { format: 'generic', data });
    expect(status).toBe(201);
    expect(json).toMatchObject({
      turn_count: 2,
      rejected_items: 3,
      errors: [{ pointer: '/data/turns/1' }, { pointer: '/data/turns/2/role' }, { pointer: '/data/turns/3/content/1' }],
    });
  });

  it.each<[string, Json, string]>([
    ['no format', { data: { turns: [] } }, '/format'],
    ['an unknown format', { format: 'smoke-signs', data: {} }, '/format'],
    ['no data', { format: 'generic' }, '/data'],
    ['data that is text', { format: 'generic', data: 'hello' }, '/data'],
    ['no turns', { format: 'generic', data: {} }, '/data/turns'],
    ['an empty list', { format: 'generic', data: { turns: [] } }, '/data'],
    ['no messages', { format: 'chat-completions-a', data: {} }, '/data/messages'],
    ['messages of which none is valid', { format: 'chat-completions-b', data: [1, 'two'] }, '/data/0'],
    ['a record without a trace', { format: 'taxonomy-data', data: { mas_name: 'AG2' } }, '/data/trace'],
  ])('refuses %s', async (_name, body, pointer) => {
    const before = await rows();
    const answer = await ingest(mine, body);
    expect(answer).toMatchObject({ status: 422, json: { code: 'invalid_body' } });
    expect(answer.json.errors[0].pointer).toBe(pointer);
    expect(await rows()).toEqual(before);
  });

  it('repeats the first response for an Idempotency-Key', async () => {
    const send = () =>
      http.send({
        path: `${base(mine)}/ingest`,
        body: chat(['user', 'Only once']),
        credential: mine.apiKey,
        headers: { 'Idempotency-Key': 'conversation-1' },
      });
    const first = await send();
    expect((await send()).json).toEqual(first.json);
  });

  it('needs the scope ingest, and lists need read', async () => {
    const reading = await http.newKey(mine.tenantId, ['read']);
    const ingesting = await http.newKey(mine.tenantId, ['ingest']);
    expect(await ingest(mine, HELLO, reading)).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    expect(await ingest(mine, HELLO, ingesting)).toMatchObject({ status: 201 });
    expect(await get(mine, '', ingesting)).toMatchObject({ status: 403, json: { code: 'forbidden' } });
    expect(await get(mine, '', reading)).toMatchObject({ status: 200 });
    expect(await get(mine, '', other.apiKey)).toMatchObject({ status: 403, json: { code: 'wrong_tenant' } });
    expect(await http.send({ path: base(mine) })).toMatchObject({ status: 401 });
  });
});

describe('one conversation', () => {
  it('is returned turn by turn', async () => {
    const data: Json = {
      model: 'gpt-4o',
      messages: [
        { role: 'system', content: 'You answer for a shop.' },
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is this?' },
            { type: 'image_url', image_url: { url: 'data:image/png;base64,AA' } },
          ],
        },
        {
          role: 'assistant',
          content: null,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'look', arguments: '{"at":1}' } }],
        },
        { role: 'tool', tool_call_id: 'c1', content: 'a kettle' },
        { role: 'assistant', content: 'A kettle.' },
      ],
    };
    const { json } = await ingest(mine, { format: 'chat-completions-a', data });
    const turns = await get(mine, `/${json.conversation_id}/turns`);
    expect(turns).toMatchObject({ status: 200, json: { conversation_id: json.conversation_id, total: 5 } });
    expect(
      turns.json.items.map((turn: Record<string, Json>) => [turn.turn, turn.role, turn.participant, turn.content]),
    ).toEqual([
      [0, 'system', 'system', 'You answer for a shop.'],
      [1, 'user', 'user', 'What is this?\n[image]'],
      [2, 'assistant', 'assistant', ''],
      [3, 'tool', 'look', 'a kettle'],
      [4, 'assistant', 'assistant', 'A kettle.'],
    ]);
    expect(turns.json.items[2].tool_calls).toEqual([{ id: 'c1', name: 'look', arguments: { at: 1 } }]);
    let sum = 0;
    for (const turn of turns.json.items) {
      sum += turn.tokens;
      expect(turn).toMatchObject({ accumulated_tokens: sum, tokens_estimated: true, created_at: null });
    }
    expect(json).toMatchObject({ total_tokens: sum, reported_tokens: 0 });
  });

  it('is 404 for another tenant and for an unknown id', async () => {
    const { json } = await ingest(mine, HELLO);
    for (const path of [`/${json.conversation_id}`, `/${json.conversation_id}/turns`]) {
      expect(await get(mine, path)).toMatchObject({ status: 200 });
      expect(await get(other, path)).toMatchObject({ status: 404, json: { code: 'not_found' } });
    }
    expect(await analyze(other, json.conversation_id)).toMatchObject({ status: 404 });
    expect(await get(mine, '/conv_nothing')).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  it('is deleted with its trace', async () => {
    const { json } = await ingest(mine, chat(['user', 'Soon gone']));
    const path = `/api/v1/tenants/${mine.tenantId}/traces/${json.trace_id}`;
    expect(await http.send({ method: 'DELETE', path, credential: mine.apiKey })).toMatchObject({ status: 204 });
    expect(await get(mine, `/${json.conversation_id}`)).toMatchObject({ status: 404 });
    expect((await get(mine, '')).text).not.toContain(json.conversation_id);
  });
});

describe('POST /conversations/{conversation_id}/analyze', () => {
  it('detects a failure at its turn without an alert', async () => {
    const { json } = await ingest(mine, FORGETFUL);
    const answer = await analyze(mine, json.conversation_id);
    expect(answer.status).toBe(200);
    const [detection] = answer.json.detections;
    expect(detection).toMatchObject({
      detection_type: 'context_neglect',
      subtype: 'asked_again',
      conversation_id: json.conversation_id,
      trace_id: json.trace_id,
      step: 1,
    });
    expect(answer.json.failure_modes).toEqual(expect.arrayContaining(['F7']));
    const outbox = await http.app.store.db.selectFrom('outbox').selectAll().execute();
    const alertFlags = outbox
      .filter(({ payload }) => payload.includes(json.trace_id))
      .map(({ payload }) => JSON.parse(payload).alert);
    expect(alertFlags.length).toBeGreaterThan(0);
    expect(alertFlags.every((alert) => alert === false)).toBe(true);
    expect(await get(mine, `/${json.conversation_id}`)).toMatchObject({
      json: { analyzed: true, failure_modes: answer.json.failure_modes },
    });
  });

  it('finds the same detections again and keeps their ids', async () => {
    const { json } = await ingest(mine, FORGETFUL);
    const first = await analyze(mine, json.conversation_id);
    expect((await analyze(mine, json.conversation_id)).json).toEqual(first.json);
  });

  it('finds nothing in a healthy conversation', async () => {
    const { json } = await ingest(mine, HELLO);
    expect((await analyze(mine, json.conversation_id)).json).toMatchObject({ total: 0, failure_modes: [] });
  });

  it('omits detections that a user marked as false', async () => {
    const tenant = await http.newTenant();
    const { json } = await ingest(tenant, FORGETFUL);
    await analyze(tenant, json.conversation_id);
    await http.app.store.db
      .updateTable('detections')
      .set({ is_valid: 0, validated: 1 })
      .where('conversation_id', '=', json.conversation_id)
      .execute();
    expect((await get(tenant, `/${json.conversation_id}`)).json.failure_modes).toEqual([]);
  });
});

describe('GET /conversations', () => {
  it('lists newest first, a page at a time, and only the tenant’s own', async () => {
    const tenant = await http.newTenant();
    const ids: string[] = [];
    for (let at = 0; at < 5; at += 1) {
      http.clock.advance(1_000);
      ids.unshift((await ingest(tenant, chat(['user', `Question ${at}`]))).json.conversation_id);
    }
    await ingest(other, HELLO);
    const seen: string[] = [];
    let path = '?page_size=2';
    for (;;) {
      const { json } = await get(tenant, path);
      expect(json.total).toBe(5);
      seen.push(...json.items.map((item: { conversation_id: string }) => item.conversation_id));
      if (!json.has_more) break;
      path = `?page_size=2&cursor=${json.next_cursor}`;
    }
    expect(seen).toEqual(ids);
    expect((await get(tenant, '?page=3&page_size=2')).json.items).toHaveLength(1);
  });

  it('names each by its first question after the analysis', async () => {
    const tenant = await http.newTenant();
    const long = 'Where is parcel 17? '.repeat(20);
    for (const chatted of [
      chat(['system', 'You answer briefly.'], ['user', 'When do you open?'], ['assistant', 'At nine.']),
      chat(['user', long], ['assistant', 'On its way.']),
      chat(['clerk', 'The till is open.'], ['porter', 'So is the gate.']),
    ]) {
      http.clock.advance(1_000);
      await ingest(tenant, chatted);
    }
    const tasks = async () => (await get(tenant, '')).json.items.map(({ task }: { task: string | null }) => task);
    expect(await tasks()).toEqual([null, null, null]);
    await http.services.analysis.runAllNow(tenant.tenantId);
    expect(await tasks()).toEqual([null, long.slice(0, 200), 'When do you open?']);
  });

  it.each([
    ['?format=generic', 2],
    ['?format=chat-completions-b', 1],
    ['?framework=desk', 1],
    ['?date_from=2025-01-01&date_to=2025-01-02', 1],
    ['?date_to=2025-01-01', 0],
  ])('filters by %s', async (query, total) => {
    const tenant = await http.newTenant();
    await ingest(tenant, HELLO);
    await ingest(tenant, { format: 'chat-completions-b', data: [{ role: 'user', content: 'Hello' }] });
    const data = { framework: 'Desk', turns: [{ role: 'user', content: 'Hello', timestamp: '2025-01-01T10:00:00Z' }] };
    await ingest(tenant, { format: 'generic', data });
    expect((await get(tenant, query)).json.total).toBe(total);
  });

  it.each([['?format=none'], ['?cursor=none'], ['?page=0'], ['?colour=red']])('refuses %s', async (query) => {
    expect(await get(mine, query)).toMatchObject({ status: 400, json: { code: 'invalid_query' } });
  });

  it('have no data of a deleted tenant', async () => {
    const tenant = await http.newTenant();
    const { json } = await ingest(tenant, chat(['user', 'Said before the end']));
    const isLeft = async () => (await rows()).some(({ trace_id }) => trace_id === json.trace_id);
    expect(await isLeft()).toBe(true);
    await http.services.tenants.delete(tenant.tenantId);
    expect(await isLeft()).toBe(false);
  });
});
