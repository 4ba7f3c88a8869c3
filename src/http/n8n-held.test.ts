import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { DEFAULT_CONFIG } from '../app/config.ts';
import { openApp } from '../app/open-app.ts';
import type { Json, JsonObject } from '../core/json.ts';

/** Spans of n8n's nodes whose workflow span comes late or never. */
const PATH = join(import.meta.dirname, '../../test/fixtures/n8n/program/telemetry.json');
const [{ resource, scopeSpans }] = JSON.parse(readFileSync(PATH, 'utf8')).resourceSpans;
const spans = scopeSpans[0].spans as JsonObject[];
const childrenOf = ({ spanId }: JsonObject) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);
/** An execution of several nodes that nothing else calls. */
const workflow = spans.find((span) => !span.parentSpanId && childrenOf(span).length >= 3)!;
const nodes = childrenOf(workflow);

const TEN_MINUTES = 600_000;
let http: HttpFixture;
let tenant: Tenant;
beforeEach(async () => {
  http = await startHttpApp();
  tenant = await http.newTenant();
});
afterEach(() => http.close());

async function send(...sent: JsonObject[]): Promise<void> {
  const body = { resourceSpans: [{ resource, scopeSpans: [{ scope: scopeSpans[0].scope, spans: sent }] }] } as Json;
  const answer = await http.send({ method: 'POST', path: '/v1/traces', body, credential: tenant.apiKey });
  expect(answer.status, answer.text).toBe(200);
}

async function pass(ms: number, held = http.services.heldRuns): Promise<void> {
  http.clock.advance(ms);
  while ((await held.runDue(100)) > 0);
  http.clock.advance(60_000);
  await http.services.analysis.runDue(1_000);
}

async function shown(): Promise<JsonObject[]> {
  const path = `/api/v1/tenants/${tenant.tenantId}/traces`;
  return (await http.send({ path, credential: tenant.apiKey })).json.items;
}
const stored = async () =>
  (await http.app.store.db.selectFrom('span_chunks').select('trace_id').distinct().execute()).length;

it('nodes are hidden while their workflow span may come, and shown ten minutes after the last of them', async () => {
  await send(nodes[0]!);
  await pass(TEN_MINUTES - 61_000);
  await send(...nodes.slice(1));
  await pass(TEN_MINUTES - 61_000);
  expect(await shown()).toEqual([]);
  await pass(61_000);
  const [run, ...others] = await shown();
  expect(others).toEqual([]);
  expect(run).toMatchObject({ framework: 'n8n', span_count: nodes.length });
  expect(run!.status).toBe('running');
  await pass(TEN_MINUTES * 100);
  expect(await shown()).toHaveLength(1);
});

it('a late workflow span joins the run that is already shown', async () => {
  await send(...nodes);
  await pass(TEN_MINUTES);
  expect(await shown()).toHaveLength(1);
  await send(workflow);
  await pass(0);
  const [run, ...others] = await shown();
  expect(others).toEqual([]);
  expect(run).toMatchObject({ framework: 'n8n', span_count: nodes.length + 1 });
  expect(run!.status).not.toBe('running');
  expect(await stored()).toBe(1);
});

it('a workflow span that is sent twice after its nodes were shown leaves one run', async () => {
  await send(...nodes);
  await pass(TEN_MINUTES);
  await send(workflow);
  await send(workflow);
  await pass(0);
  await send(workflow);
  await pass(TEN_MINUTES * 7);
  expect(await shown()).toMatchObject([{ span_count: nodes.length + 1 }]);
  expect(await stored()).toBe(1);
});

it('a hidden trace whose spans were released is deleted an hour later, and takes no span of the run', async () => {
  await send(...nodes.slice(1));
  await send(workflow);
  expect(await stored()).toBe(2);
  await pass(TEN_MINUTES);
  expect(await stored()).toBe(2);
  await send(nodes[0]!);
  await pass(TEN_MINUTES * 6);
  expect(await stored()).toBe(1);
  expect(await shown()).toMatchObject([{ span_count: nodes.length + 1 }]);
});

it('a run that was deleted does not come back with its hidden trace', async () => {
  await send(...nodes);
  await send(workflow);
  await pass(0);
  const path = `/api/v1/tenants/${tenant.tenantId}/traces/${String((await shown())[0]!.trace_id)}`;
  expect((await http.send({ method: 'DELETE', path, credential: tenant.apiKey })).status).toBeLessThan(300);
  await pass(TEN_MINUTES * 7);
  expect(await shown()).toEqual([]);
  expect(await stored()).toBe(0);
});

it('a server that was restarted in between shows what waits', async () => {
  await send(...nodes);
  const restarted = await openApp({ ...DEFAULT_CONFIG, dataFolder: http.dataFolder }, { clock: http.clock });
  await pass(TEN_MINUTES, restarted.services.heldRuns);
  await restarted.close();
  expect(await shown()).toMatchObject([{ framework: 'n8n', span_count: nodes.length }]);
});
