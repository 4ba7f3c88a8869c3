import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { DEFAULT_CONFIG } from '../app/config.ts';
import { openApp } from '../app/open-app.ts';
import type { Json, JsonObject } from '../core/json.ts';

/** Node spans of n8n whose workflow span arrives late or never. */
const PATH = join(import.meta.dirname, '../../test/fixtures/n8n/program/telemetry.json');
const [{ resource, scopeSpans }] = JSON.parse(readFileSync(PATH, 'utf8')).resourceSpans;
const spans = scopeSpans[0].spans as JsonObject[];
const childrenOf = ({ spanId }: JsonObject) => spans.filter(({ parentSpanId }) => parentSpanId === spanId);
/** An execution of several nodes that no other workflow calls. */
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

it('nodes are hidden while their workflow span may arrive, and shown ten minutes after the last of them', async () => {
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
  await pass(60_000);
  const [run, ...others] = await shown();
  expect(others).toEqual([]);
  expect(run).toMatchObject({ framework: 'n8n', span_count: nodes.length + 1 });
  expect(run!.status).not.toBe('running');
  await pass(TEN_MINUTES * 6);
  expect(await stored()).toBe(1);
});

it('a workflow span that is sent twice after its nodes were shown leaves one run', async () => {
  await send(...nodes);
  await pass(TEN_MINUTES);
  await send(workflow);
  await send(workflow);
  await pass(60_000);
  await send(workflow);
  await pass(TEN_MINUTES * 7);
  await pass(TEN_MINUTES * 7);
  expect(await shown()).toMatchObject([{ span_count: nodes.length + 1 }]);
  expect(await stored()).toBe(1);
});

it('a hidden trace whose spans were released is deleted an hour later without the spans of the run', async () => {
  await send(...nodes.slice(1));
  await send(workflow);
  expect(await stored()).toBe(3);
  await pass(TEN_MINUTES);
  expect(await stored()).toBe(3);
  await send(nodes[0]!);
  await pass(TEN_MINUTES * 6);
  expect(await stored()).toBe(1);
  expect(await shown()).toMatchObject([{ span_count: nodes.length + 1 }]);
});

it('a deleted run is not restored from its hidden trace', async () => {
  await send(...nodes);
  await send(workflow);
  await pass(0);
  const path = `/api/v1/tenants/${tenant.tenantId}/traces/${String((await shown())[0]!.trace_id)}`;
  expect((await http.send({ method: 'DELETE', path, credential: tenant.apiKey })).status).toBeLessThan(300);
  await pass(TEN_MINUTES * 7);
  expect(await shown()).toEqual([]);
  expect(await stored()).toBe(0);
});

it('a restarted server shows the hidden nodes when they are due', async () => {
  await send(...nodes);
  const restarted = await openApp({ ...DEFAULT_CONFIG, dataFolder: http.dataFolder }, { clock: http.clock });
  await pass(TEN_MINUTES, restarted.services.heldRuns);
  await restarted.close();
  expect(await shown()).toMatchObject([{ framework: 'n8n', span_count: nodes.length }]);
});

it('a span of another program below a node keeps the hidden trace as long as the nodes do', async () => {
  const [first, ...later] = nodes as [JsonObject, ...JsonObject[]];
  const call = {
    ...first,
    spanId: 'abcdefabcdefabcd',
    parentSpanId: first.spanId,
    name: 'POST',
    attributes: [],
  } as JsonObject;
  await send(first, call);
  await send(workflow);
  await pass(TEN_MINUTES);
  await send(...later);
  await pass(TEN_MINUTES * 7);
  expect(await shown()).toMatchObject([{ span_count: nodes.length + 2 }]);
  expect(await stored()).toBe(1);
});

it('nodes that are committed together with their workflow span join the run within seconds', async () => {
  await Promise.all([send(...nodes), send(workflow)]);
  await pass(5_000);
  expect(await shown()).toMatchObject([{ span_count: nodes.length + 1 }]);
});

it('more nodes than one request moves join the run within seconds', async () => {
  const many = Array.from(
    { length: 1_200 },
    (_, index): JsonObject => ({
      ...nodes[0]!,
      spanId: (0xabc00000 + index).toString(16).padStart(16, '0'),
    }),
  );
  for (let from = 0; from < many.length; from += 300) await send(...many.slice(from, from + 300));
  await send(workflow);
  await pass(5_000);
  expect(await shown()).toMatchObject([{ span_count: many.length + 1 }]);
  await pass(TEN_MINUTES * 7);
  expect(await shown()).toMatchObject([{ span_count: many.length + 1 }]);
  expect(await stored()).toBe(1);
});

it('a sender cannot mark its own trace as hidden', async () => {
  const mark = { key: 'n8n.held.trace_id', value: { stringValue: 'f'.repeat(32) } };
  const unmarked = { ...workflow, traceId: 'c'.repeat(32), name: 'chat', attributes: [mark] } as JsonObject;
  await send(unmarked);
  await send({ ...workflow, traceId: 'd'.repeat(32), attributes: [...(workflow.attributes as Json[]), mark] });
  await pass(TEN_MINUTES * 7);
  expect((await shown()).map((trace) => trace.span_count)).toEqual([1, 1]);
});

it('hidden traces are not counted: an execution counts once', async () => {
  await send(...nodes);
  await send(workflow);
  const { db } = http.app.store;
  const figures = await db.selectFrom('figures').select(['name', 'value']).where('tenant_no', '!=', 0).execute();
  const total = (name: string) => figures.filter((row) => row.name === name).reduce((sum, row) => sum + row.value, 0);
  expect({ traces: total('traces'), spans: total('spans') }).toEqual({ traces: 1, spans: nodes.length + 1 });
});

it('a hidden trace that cannot be read does not keep others from being shown', async () => {
  await send(...nodes);
  await http.app.store.db
    .updateTable('span_chunks')
    .set({ data: Buffer.from('damaged') })
    .execute();
  http.clock.advance(1);
  await send({ ...nodes[0]!, traceId: 'e'.repeat(32) });
  await pass(TEN_MINUTES);
  expect(await shown()).toMatchObject([{ span_count: 1 }]);
  for (let attempt = 0; attempt < 8; attempt += 1) await pass(60_000);
  expect(await http.services.heldRuns.nextDueAt()).toBeNull();
});
