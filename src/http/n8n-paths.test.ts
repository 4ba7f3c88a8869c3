import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HttpFixture, startHttpApp } from '../../test/support/http-app.ts';
import { randomInteger, seededRandom } from '../../test/support/random.ts';
import type { Json, JsonObject } from '../core/json.ts';

/** The same n8n executions over OTLP, sync and webhooks, in several orders and batches. */
const FIXTURES = join(import.meta.dirname, '../../test/fixtures/n8n/program');
const read = (name: string) => JSON.parse(readFileSync(join(FIXTURES, `${name}.json`), 'utf8'));

let http: HttpFixture;
beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(() => http.close());

interface Piece {
  path: '/v1/traces' | 'webhook';
  body: Json;
}

/** Telemetry in bodies of `size` spans. */
function telemetry(size: number): Piece[] {
  const { resourceSpans } = read('telemetry') as {
    resourceSpans: [{ resource: Json; scopeSpans: [{ scope: Json; spans: Json[] }] }];
  };
  const [{ resource, scopeSpans }] = resourceSpans;
  const { scope, spans } = scopeSpans[0];
  const bodies: Piece[] = [];
  for (let at = 0; at < spans.length; at += size) {
    const part = [{ resource, scopeSpans: [{ scope, spans: spans.slice(at, at + size) }] }];
    bodies.push({ path: '/v1/traces', body: { resourceSpans: part } });
  }
  return bodies;
}

const executions = (): Piece[] => read('executions').data.map((body: Json) => ({ path: 'webhook', body }));
const notices = (): Piece[] =>
  [read('error-notice'), read('last-node')].map((body: Json) => ({ path: 'webhook', body }));

function shuffled<T>(list: readonly T[], seed: number): T[] {
  const [random, rest] = [seededRandom(seed), [...list]];
  return list.map(() => rest.splice(randomInteger(random, rest.length), 1)[0]!);
}

/** Sends the pieces to a new tenant. @returns its traces in the order of trace ids */
async function seenAfter(pieces: readonly Piece[]): Promise<Json[]> {
  const { tenantId, apiKey: credential } = await http.newTenant('grower');
  const input = { name: 'home', external_id: 'home' };
  const created = await http.send({ method: 'POST', path: '/api/v1/flowplatform/workflows', credential, body: input });
  for (const { path, body } of pieces) {
    const isWebhook = path === 'webhook';
    const target = isWebhook ? (created.json as { webhook: { path: string } }).webhook.path : path;
    const answer = await http.send({ method: 'POST', path: target, body, credential: isWebhook ? null : credential });
    expect(answer.status, answer.text).toBe(isWebhook ? 202 : 200);
  }
  http.clock.advance(60_000);
  await http.services.analysis.runDue(1_000);
  const path = `/api/v1/tenants/${tenantId}/traces`;
  const { items } = (await http.send({ path: `${path}?page_size=100`, credential })).json as { items: JsonObject[] };
  const traces = await Promise.all(
    items.map(async ({ trace_id }) => (await http.send({ path: `${path}/${String(trace_id)}`, credential })).json),
  );
  return (traces as JsonObject[])
    .sort((one, other) => String(one.trace_id).localeCompare(String(other.trace_id)))
    .map(({ name, status, framework, task, spans }) => {
      const steps = spans as JsonObject[];
      const names = new Map(steps.map((step) => [step.span_id, step.name]));
      return [
        String(name),
        status,
        framework,
        task,
        steps.map((step) => [
          step.name,
          names.get(step.parent_span_id) ?? null,
          step.kind,
          step.status,
          step.error ?? null,
        ]),
      ] as Json;
    });
}

describe('the same executions are one trace each', () => {
  const rows: [string, () => Piece[]][] = [
    ['telemetry in one body', () => telemetry(1_000)],
    ['telemetry, each span in a separate body', () => telemetry(1)],
    ['telemetry in bodies that split executions', () => telemetry(7)],
    ['telemetry with its newest span first', () => telemetry(1).toReversed()],
    ['telemetry in any order', () => shuffled(telemetry(1), 7)],
    ['telemetry sent twice', () => [...telemetry(5), ...telemetry(5)]],
  ];
  it.each(rows)('%s', async (_, pieces) => {
    const seen = await seenAfter(pieces());
    expect(seen).toEqual(await seenAfter(telemetry(1_000)));
    expect(seen).toHaveLength(16);
  });

  const all = () => [...telemetry(7), ...notices(), ...executions()];
  it.each<[string, () => Piece[]]>([
    ['telemetry, webhooks, sync', all],
    ['sync, webhooks, telemetry', () => [...executions(), ...notices(), ...telemetry(7)]],
    ['webhooks, telemetry, sync', () => [...notices(), ...telemetry(7), ...executions()]],
    ['any order', () => shuffled(all(), 3)],
  ])('by every path: %s', async (_, pieces) => {
    const seen = await seenAfter(pieces());
    expect(seen).toEqual(await seenAfter([...notices(), ...executions(), ...telemetry(1_000)]));
    expect(seen).toHaveLength(16);
  });
});

/** Bodies of a real n8n 2.41.1, kept outside the repository. */
const RECORDED = join(
  process.env.MISSTEP_CAPTURES ?? join(import.meta.dirname, '../../../shared/clients/captures'),
  'programs-2026-11',
);

describe.skipIf(!existsSync(RECORDED))('recorded bodies of n8n 2.41.1 (captures/programs-2026-11)', () => {
  const bodyOf = (file: string) => JSON.parse(readFileSync(join(RECORDED, file), 'utf8')) as Json;

  it('are one trace per execution', async () => {
    const { tenantId, apiKey: credential } = await http.newTenant('recorded');
    const input = { name: 'home', external_id: 'home' };
    const created = await http.send({
      method: 'POST',
      path: '/api/v1/flowplatform/workflows',
      credential,
      body: input,
    });
    const { webhook } = created.json as { webhook: { path: string } };
    const files = ['includeData', 'continue-timeout', 'loop-retry-429'].map(
      (name) => `n8n-2.41.1-api/executions-${name}.json`,
    );
    const notices = ['n8n-2.41.1-webhooks/01', 'n8n-2.41.1-webhooks/02', 'n8n-2.41.1-otel/02'].map(
      (name) => `${name}.body.json`,
    );
    for (const file of [...notices, ...files, 'n8n-2.41.1-api/execution-timeout-in-call.json', ...notices]) {
      const answer = await http.send({ method: 'POST', path: webhook.path, body: bodyOf(file) });
      expect(answer.status, `${file} ${answer.text}`).toBe(202);
    }
    const answer = await http.send({
      method: 'POST',
      path: '/v1/traces',
      body: readFileSync(join(RECORDED, 'n8n-2.41.1-otel/03.body.pb')),
      headers: { 'Content-Type': 'application/x-protobuf' },
      credential,
    });
    expect(answer.status, answer.text).toBe(200);
    http.clock.advance(60_000);
    await http.services.analysis.runDue(1_000);
    const path = `/api/v1/tenants/${tenantId}/traces?page_size=100`;
    const { items } = (await http.send({ path, credential })).json as { items: JsonObject[] };
    const counts = Map.groupBy(items, ({ framework, status }) => `${String(framework)} ${String(status)}`);
    expect([...counts].map(([shown, runs]) => `${shown} ${runs.length}`).sort()).toEqual(['n8n error 9', 'n8n ok 14']);
  });
});
