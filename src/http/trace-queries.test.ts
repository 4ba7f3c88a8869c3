import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { runSpans, toRequest, traceIdOf } from '../../test/support/store-app.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
  await http.services.ingest.ingest(tenant.tenantId, toRequest(runSpans(1)));
  await http.services.analysis.analyzeTrace(tenant.tenantId, traceIdOf(1));
});
afterAll(() => http.close());

const read = (path: string) =>
  http.send({ path: `/api/v1/tenants/${tenant.tenantId}/traces${path}`, credential: tenant.apiKey });
const OF_TRACE = `/${traceIdOf(1)}`;

describe('an invalid query', () => {
  it.each([
    ['?sort=cats', '?sort'],
    ['?grade=E', '?grade'],
    ['?severity=bad', '?severity'],
    ['?min_cost=-1', '?min_cost'],
    ['?min_cost=free', '?min_cost'],
    ['?min_duration=1s', '?min_duration'],
    ['?q=', '?q'],
    ['/facets?top=0', '?top'],
    ['/facets?top=101', '?top'],
    ['/facets?page=2', '?page'],
    ['/histogram?buckets=0', '?buckets'],
    ['/histogram?buckets=401', '?buckets'],
    ['/histogram?date_from=2026-02-01&date_to=2026-01-01', '?date_from'],
    [`${OF_TRACE}/find`, '?text'],
    [`${OF_TRACE}/find?text=`, '?text'],
    [`${OF_TRACE}/find?text=${'a'.repeat(201)}`, '?text'],
    [`${OF_TRACE}/find?text=a&count=201`, '?count'],
    [`${OF_TRACE}/find?text=a&from_step=-1`, '?from_step'],
  ])('is refused with the name of the field: %s', async (path, pointer) => {
    expect(await read(path)).toMatchObject({ status: 400, json: { code: 'invalid_query', errors: [{ pointer }] } });
  });
});

describe('a missing trace', () => {
  it.each(['graph', 'find?text=a'])('has no %s', async (path) => {
    expect(await read(`/none/${path}`)).toMatchObject({ status: 404, json: { code: 'not_found' } });
  });
});

describe('facets and histogram', () => {
  it('are not trace ids, and count the traces of the list', async () => {
    const list = (await read('?agent_id=planner')).json;
    const facets = (await read('/facets?agent_id=planner')).json;
    const histogram = (await read('/histogram?agent_id=planner')).json;
    expect([list.total, facets.counted, histogram.total]).toEqual([1, 1, 1]);
    expect((await read(`${OF_TRACE}/graph`)).json.nodes.map(({ name }: { name: string }) => name)).toEqual([
      'planner',
      'search',
      'writer',
    ]);
    expect((await read(`${OF_TRACE}/find?text=OPENING`)).json.items).toMatchObject([
      { step: 2, field: 'arguments', snippet: { match: 'opening' } },
    ]);
  });
});
