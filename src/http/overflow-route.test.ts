import { afterAll, beforeAll, expect, it } from 'vitest';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from '../../test/support/http-app.ts';

let http: HttpFixture;
let tenant: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterAll(() => http.close());

const check = async (credential: string, headers = {}) => {
  const body = { text: 'word '.repeat(64_000), model: 'gpt-4o' };
  const { json } = await http.send({ path: '/api/v1/security/overflow/check', body, credential, headers });
  return { risk: json.risk, advised: /at most (\d+) tokens/.exec(json.recommendation)?.[1] ?? null };
};
const setRatios = (frameworks: object, ratios: object = {}) =>
  http.send({
    method: 'PUT',
    path: `/api/v1/tenants/${tenant.tenantId}/settings/thresholds`,
    body: { global: ratios, frameworks } as never,
    credential: tenant.apiKey,
  });

it('half a window is not a warning unless the tenant lowered the ratio', async () => {
  const otherTenant = await http.newTenant('stranger');
  expect(await check(tenant.apiKey)).toEqual({ risk: 'ok', advised: null });
  await setRatios({}, { context_warning_ratio: 0.4 });
  expect(await check(tenant.apiKey)).toEqual({ risk: 'warning', advised: '51200' });
  await setRatios({}, { context_critical_ratio: 0.45 });
  expect(await check(tenant.apiKey)).toMatchObject({ risk: 'critical' });
  expect(await check(otherTenant.apiKey)).toMatchObject({ risk: 'ok' });
  expect(await check('', { Authorization: `Bearer ${OPERATOR_TOKEN}` })).toMatchObject({ risk: 'ok' });
});

it('ratios of a framework do not apply to text without a framework', async () => {
  await setRatios(
    { langgraph: { context_warning_ratio: 0.1 } },
    { context_warning_ratio: null, context_critical_ratio: null },
  );
  expect(await check(tenant.apiKey)).toMatchObject({ risk: 'ok' });
});
