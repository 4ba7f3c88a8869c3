import { spawnSync } from 'node:child_process';
import { Gauge } from 'prom-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Exposition, parseExposition } from '../../test/support/exposition.ts';
import { type HttpFixture, OPERATOR_TOKEN, startHttpApp, type Tenant } from '../../test/support/http-app.ts';
import { runSpans, spanIdOf, toRequest, traceIdOf } from '../../test/support/store-app.ts';
import { createMetricsApp } from './create-metrics-app.ts';
import { listen } from './listen.ts';
import { collectProcessMetrics } from './process-metrics.ts';

let http: HttpFixture;
let mine: Tenant;
let other: Tenant;
beforeAll(async () => {
  http = await startHttpApp();
  collectProcessMetrics(http.metrics);
  mine = await http.newTenant('mine');
  other = await http.newTenant('other');
  await sendRuns(mine, 3);
  await sendRuns(other, 1);
});
afterAll(() => http.close());

/** Runs of four spans, analyzed. */
async function sendRuns({ tenantId }: Tenant, count: number): Promise<void> {
  for (let run = 1; run <= count; run += 1)
    await http.services.ingest.ingest(tenantId, toRequest(runSpans(run, { tokens: 100 })));
  http.clock.advance(5_000);
  await http.services.analysis.runDue(100);
}

async function figuresOf(credential: string | null, path = '/api/v1/metrics'): Promise<Exposition> {
  http.clock.advance(1_000);
  const answer = await http.send({ path, credential });
  expect(answer.status).toBe(200);
  expect(answer.headers['content-type']).toBe('text/plain; version=0.0.4; charset=utf-8');
  return parseExposition(answer.text);
}

const sumOf = ({ samples }: Exposition, name: string) =>
  samples.filter((sample) => sample.name === name).reduce((sum, sample) => sum + sample.value, 0);

describe('a tenant', () => {
  it('sees its own metrics only', async () => {
    const [first, second] = [await figuresOf(mine.apiKey), await figuresOf(other.apiKey)];
    expect([sumOf(first, 'misstep_traces_total'), sumOf(second, 'misstep_traces_total')]).toEqual([3, 1]);
    expect([sumOf(first, 'misstep_spans_total'), sumOf(second, 'misstep_spans_total')]).toEqual([12, 4]);
    expect([sumOf(first, 'misstep_tokens_total'), sumOf(second, 'misstep_tokens_total')]).toEqual([606, 202]);
    expect(sumOf(first, 'misstep_cost_usd_total')).toBeGreaterThan(0);
    expect(first.samples.filter(({ name }) => !/^misstep_(?!http|ingest|analysis)/.test(name))).toEqual([]);
  });

  it('is counted once when spans are re-sent and traces analyzed again', async () => {
    const before = await figuresOf(other.apiKey);
    await sendRuns(other, 1);
    expect((await figuresOf(other.apiKey)).samples).toEqual(before.samples);
  });

  it('has detections by type and severity that agree with the list', async () => {
    const detecting = await http.newTenant('detecting');
    const spans = Array.from({ length: 14 }, (_, at) => ({
      ...(runSpans(1)[1] as ReturnType<typeof runSpans>[number]),
      spanId: spanIdOf(at + 1),
      parentSpanId: at === 0 ? null : spanIdOf(1),
    }));
    await http.services.ingest.ingest(detecting.tenantId, toRequest(spans));
    http.clock.advance(5_000);
    await http.services.analysis.runDue(100);
    const path = `/api/v1/tenants/${detecting.tenantId}/detections?min_severity=observation&page_size=200`;
    const { items } = (await http.send({ path, credential: detecting.apiKey })).json as {
      items: { detection_type: string; severity: string }[];
    };
    expect(items.length).toBeGreaterThan(0);
    const figures = await figuresOf(detecting.apiKey);
    expect(sumOf(figures, 'misstep_detections_total')).toBe(items.length);
    for (const { detection_type: type, severity } of items)
      expect(figures.samples).toContainEqual(
        expect.objectContaining({ name: 'misstep_detections_total', labels: { type, severity } }),
      );
    expect(sumOf(figures, 'misstep_issues_open')).toBeGreaterThan(0);
  });

  it('needs the scope read, and a credential', async () => {
    const blind = await http.newKey(mine.tenantId, ['ingest']);
    for (const path of ['/metrics', '/metrics/json', '/api/v1/metrics', '/api/v1/metrics/json']) {
      expect((await http.send({ path, credential: blind })).status).toBe(403);
      expect((await http.send({ path })).status).toBe(401);
    }
  });

  it('gets the same figures as JSON', async () => {
    http.clock.advance(1_000);
    const { json } = await http.send({ path: '/api/v1/metrics/json', credential: mine.apiKey });
    expect(json).toContainEqual(
      expect.objectContaining({ name: 'misstep_traces_total', type: 'counter', values: [{ value: 3, labels: {} }] }),
    );
  });
});

describe('the operator', () => {
  it('sees all tenants together, and the process', async () => {
    const figures = await figuresOf(OPERATOR_TOKEN);
    expect(sumOf(figures, 'misstep_traces_total')).toBe(5);
    expect(sumOf(figures, 'process_cpu_user_seconds_total')).toBeGreaterThan(0);
    expect(sumOf(figures, 'misstep_http_requests_total')).toBeGreaterThan(0);
  });

  it('reads an unmeasured gauge as NaN in the spelling of the format', async () => {
    const gauge = new Gauge({ name: 'empty_lag_seconds', help: 'Nothing measured.', registers: [http.metrics] });
    gauge.set(Number.NaN);
    const figures = await figuresOf(OPERATOR_TOKEN);
    http.metrics.removeSingleMetric('empty_lag_seconds');
    expect(figures.samples.filter(({ name }) => name === 'empty_lag_seconds')).toEqual([
      { name: 'empty_lag_seconds', labels: {}, value: Number.NaN },
    ]);
  });

  it('keeps the counts of a deleted tenant', async () => {
    const deletedTenant = await http.newTenant('gone');
    await http.services.ingest.ingest(deletedTenant.tenantId, toRequest(runSpans(1)));
    const before = sumOf(await figuresOf(OPERATOR_TOKEN), 'misstep_traces_total');
    await http.services.tenants.delete(deletedTenant.tenantId);
    expect(sumOf(await figuresOf(OPERATOR_TOKEN), 'misstep_traces_total')).toBe(before);
  });
});

describe('labels', () => {
  it('contain no text of senders', async () => {
    const before = (await figuresOf(mine.apiKey)).samples.length;
    const spans = runSpans(90).map((span) => ({
      ...span,
      traceId: traceIdOf(91),
      name: 'x"}\n1',
      status: 'error' as never,
    }));
    await http.services.ingest.ingest(mine.tenantId, toRequest(spans));
    expect((await figuresOf(mine.apiKey)).samples.length).toBe(before);
  });
});

describe('the metrics listener', () => {
  it('serves only the metrics of the instance, without credential, under loopback names', async () => {
    const dependencies = { clock: http.clock, logger: { debug() {}, error() {}, warn() {} } as never };
    const listener = await listen(createMetricsApp(http.services, http.metrics, '127.0.0.1', dependencies), {
      host: '127.0.0.1',
      port: 0,
    });
    try {
      const answer = await fetch(`${listener.url}/metrics`, { headers: { accept: 'application/openmetrics-text' } });
      expect(answer.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
      expect(sumOf(parseExposition(await answer.text()), 'misstep_traces_total')).toBeGreaterThan(0);
      expect((await fetch(`${listener.url}/api/v1/tenants`)).status).toBe(404);
      expect((await fetch(`${listener.url}/metrics`, { method: 'POST' })).status).toBe(405);
    } finally {
      await listener.close(0);
    }
  });
});

const hasPromtool = spawnSync('promtool', ['--version']).status === 0;

describe.runIf(hasPromtool)('promtool (skipped if it is missing)', () => {
  it.each(['a tenant', 'the operator'])('accepts the metrics of %s', async (who) => {
    const credential = who === 'a tenant' ? mine.apiKey : OPERATOR_TOKEN;
    const { text } = await http.send({ path: '/metrics', credential });
    const checked = spawnSync('promtool', ['check', 'metrics'], { input: text, encoding: 'utf8' });
    expect([checked.status, checked.stderr]).toEqual([0, '']);
  });
});
