import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../../test/support/http-app.ts';
import { longTrace } from '../../../test/support/long-trace.ts';

const trace = longTrace({ spans: 230, startMs: Date.UTC(2026, 0, 15, 10) });

let http: HttpFixture;
let tenant: Tenant;
// biome-ignore lint/suspicious/noExplicitAny: an answer's JSON
let whole: any;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
  const path = `/api/v1/tenants/${tenant.tenantId}/traces/ingest`;
  for (const body of trace.bodies) await http.send({ path, credential: tenant.apiKey, body: JSON.parse(body) });
  whole = (await read('')).json;
});
afterAll(() => http.close());

const read = (rest: string) =>
  http.send({
    path: `/api/v1/tenants/${tenant.tenantId}/traces/${trace.traceId}${rest}`,
    credential: tenant.apiKey,
  });

const idsOf = (places: number[]) => places.map((place) => whole.spans[place].span_id);

describe('windows of a trace', () => {
  it.each([
    ['the first 50 where nothing is said', '', 0, 50, 50],
    ['a window in the middle', '?from_step=100&count=7', 100, 107, 107],
    ['the last', '?from_step=228&count=10', 228, 230, null],
    ['behind the end', '?from_step=230&count=10', 230, 230, null],
    ['all at once', '?count=500', 0, 230, null],
  ])('are slices of the whole: %s', async (_title, query, from, to, next) => {
    const { json } = await read(`/spans${query}`);
    expect(json).toEqual({
      trace_id: trace.traceId,
      items: whole.spans.slice(from, to),
      total: 230,
      next_step: next,
      missing: [],
    });
  });

  it('are given by id in order of steps, and what is not there is named', async () => {
    const [late, early] = idsOf([200, 3]);
    const { json } = await read(`/spans?ids=${late},nothing,${early}`);
    expect(json).toMatchObject({ items: [whole.spans[3], whole.spans[200]], missing: ['nothing'], next_step: null });
  });

  it('can be one span', async () => {
    expect((await read(`/spans/${idsOf([17])[0]}`)).json).toEqual(whole.spans[17]);
    expect(await read('/spans/nothing')).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });

  it.each([
    ['more ids than 50', `?ids=${Array(51).fill('a').join(',')}`, '?ids'],
    ['no number', '?from_step=x', '?from_step'],
    ['too many', '?count=501', '?count'],
    ['none', '?count=0', '?count'],
  ])('are refused for %s', async (_title, query, pointer) => {
    const { status, json } = await read(`/spans${query}`);
    expect({ status, pointers: json.errors.map((error: { pointer: string }) => error.pointer) }).toEqual({
      status: 400,
      pointers: [pointer],
    });
  });

  it.each([
    ['all', 230],
    ['spans', 230],
    ['states', 0],
    ['none', 0],
  ])('include=%s fills only what it names', async (include, spans) => {
    const { json } = await read(`?include=${include}`);
    expect(json.spans).toHaveLength(spans);
    expect({ ...json, spans: [] }).toEqual({ ...whole, spans: [] });
  });
});

describe('the outline', () => {
  it('has a column entry for each step, and finds repeats among siblings', async () => {
    const { json } = await read('/outline');
    for (const column of Object.values(json.columns)) expect(column).toHaveLength(230);
    const stepsOf = (number: number) =>
      json.columns.repeat.flatMap((one: number, at: number) => (one === number ? [at] : []));
    // Every fifth tool call of an agent has the same name, and all have the same names of arguments.
    const repeated = stepsOf(json.columns.repeat[2]);
    expect(repeated).toEqual(expect.arrayContaining([2, 17, 32]));
    expect(new Set(repeated.map((at: number) => whole.spans[at].parent_span_id)).size).toBe(1);
    expect(json.columns.repeat[0]).toBe(0);
  });
});
