import { afterAll, beforeAll, expect, it, test } from 'vitest';
import { type HttpFixture, startHttpApp } from '../../test/support/http-app.ts';
import { vendorPathHint } from './vendor-paths.ts';

let http: HttpFixture;
beforeAll(async () => {
  http = await startHttpApp();
});
afterAll(() => http.close());

it.each([
  ['GET', '/api/public/v2/prompts/greeting', 'Langfuse', '/api/public/ingestion'],
  ['POST', '/api/public/media', 'Langfuse', '/api/public/ingestion'],
  ['POST', '/feedback', 'LangSmith', '/runs'],
  ['GET', '/sessions', 'LangSmith', '/runs'],
  ['POST', '/api/v1/feedback', 'LangSmith', '/runs'],
  ['GET', '/api/v1/datasets/d1/runs', 'LangSmith', '/runs'],
  ['POST', '/api/intake/llm-obs/v1/trace/spans', 'Datadog', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['PUT', '/v0.4/traces', 'Datadog', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['POST', '/trace/v1', 'New Relic', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['POST', '/1/batch/agents', 'Honeycomb', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['GET', '/v1/projects', 'Phoenix', 'PHOENIX_COLLECTOR_ENDPOINT'],
  ['POST', '/logs3', 'Braintrust', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['POST', '/custom/v1/log', 'Helicone', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['POST', '/v3/auth/token', 'AgentOps', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['POST', '/call/upsert_batch', 'Weave', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['POST', '/api/v1/private/traces/batch', 'Opik', 'OTEL_EXPORTER_OTLP_ENDPOINT'],
  ['POST', '/v1/metrics', 'OpenTelemetry', 'OTEL_METRICS_EXPORTER'],
  ['POST', '/v1/traces/v1/traces', 'OpenTelemetry', 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
])('%s %s is rejected with the setting to change', async (method, path, vendor, setting) => {
  const answer = await http.send({ method, path, ...(method === 'GET' ? {} : { body: {} }) });
  expect(answer.status).toBe(404);
  const answerText = answer.json.detail ?? answer.json.message;
  expect(answerText).toContain(`a path of ${vendor}.`);
  expect(answerText).toContain(setting);
});

test.each(['/v1', '/api', '/api/v1/nothing', '/feedbacks', '/call', '/v1/tracesx'])(
  '%s belongs to no vendor',
  (path) => {
    expect(vendorPathHint(path)).toBeNull();
  },
);
