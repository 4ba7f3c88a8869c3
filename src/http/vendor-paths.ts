import { API_PREFIX } from './operation-router.ts';

/** Unsupported paths of other vendors' clients, with the settings that make the same program report to Misstep. */
interface VendorPaths {
  vendor: string;
  /** A pattern matches the whole path, unless it ends in `/`: then it matches everything below. */
  paths: readonly string[];
  hint: string;
}

const OTLP_HINT =
  'Send its spans with an OTLP/HTTP exporter: OTEL_EXPORTER_OTLP_ENDPOINT=<this server> and OTEL_EXPORTER_OTLP_HEADERS=X-SVC-API-Key=<API key>.';
const LANGFUSE_HINT =
  'Only traces are accepted: /api/public/otel/v1/traces and /api/public/ingestion. Prompts, datasets, scores and media stay with Langfuse.';
const LANGSMITH_HINT =
  'Only runs are accepted: /runs, /runs/batch, /runs/multipart and /otel/v1/traces. Projects, datasets and feedback stay with LangSmith.';

/** In order: the first match is used. */
const VENDORS: readonly VendorPaths[] = [
  { vendor: 'Langfuse', paths: ['/api/public/'], hint: LANGFUSE_HINT },
  {
    vendor: 'LangSmith',
    // Its own API has the same prefix as ours.
    paths: [
      '/feedback',
      '/feedback/',
      '/sessions',
      '/sessions/',
      '/datasets',
      '/datasets/',
      '/examples',
      '/runs/',
    ].flatMap((path) => [path, `${API_PREFIX}${path}`]),
    hint: LANGSMITH_HINT,
  },
  {
    vendor: 'Datadog',
    paths: [
      '/api/intake/llm-obs/',
      '/api/v2/llmobs',
      '/api/v0.2/traces',
      '/evp_proxy/',
      '/v0.3/traces',
      '/v0.4/traces',
      '/v0.5/traces',
    ],
    hint: `Replace DD_LLMOBS_ENABLED and DD_TRACE_AGENT_URL: ${OTLP_HINT}`,
  },
  { vendor: 'New Relic', paths: ['/trace/v1'], hint: OTLP_HINT },
  { vendor: 'Honeycomb', paths: ['/1/batch/', '/1/events/', '/1/auth'], hint: OTLP_HINT },
  {
    vendor: 'Phoenix',
    paths: ['/v1/projects', '/v1/projects/', '/v1/spans', '/v1/datasets', '/v1/datasets/', '/v1/prompts', '/graphql'],
    hint: 'Only traces are accepted: PHOENIX_COLLECTOR_ENDPOINT=<this server> and PHOENIX_API_KEY=<API key> send them to /v1/traces.',
  },
  {
    vendor: 'Braintrust',
    paths: ['/logs3', '/api/apikey/login', '/api/project/register', '/api/experiment/register'],
    hint: OTLP_HINT,
  },
  { vendor: 'Helicone', paths: ['/custom/v1/log', '/v1/trace/log', '/v1/gateway/'], hint: OTLP_HINT },
  {
    vendor: 'AgentOps',
    paths: ['/v3/auth/token', '/v2/create_session', '/v2/create_events', '/v2/update_session', '/v2/reauthorize_jwt'],
    hint: OTLP_HINT,
  },
  { vendor: 'Weave', paths: ['/call/start', '/call/end', '/call/upsert_batch', '/server_info'], hint: OTLP_HINT },
  {
    vendor: 'Opik',
    paths: ['/api/v1/private/', '/v1/private/', '/opik/api/'],
    hint: OTLP_HINT,
  },
  { vendor: 'Lunary', paths: ['/v1/runs/ingest'], hint: OTLP_HINT },
  {
    vendor: 'Traceloop',
    paths: ['/v1/traceloop/', '/v2/config/'],
    hint: 'Set TRACELOOP_BASE_URL=<this server> and TRACELOOP_API_KEY=<API key>; set TRACELOOP_METRICS_ENABLED=false.',
  },
  { vendor: 'MLflow', paths: ['/api/2.0/mlflow/', '/api/3.0/mlflow/'], hint: OTLP_HINT },
  { vendor: 'Zipkin', paths: ['/api/v2/spans'], hint: OTLP_HINT },
  { vendor: 'Jaeger', paths: ['/api/traces'], hint: OTLP_HINT },
  { vendor: 'Elastic', paths: ['/intake/v2/events'], hint: OTLP_HINT },
  {
    vendor: 'OpenTelemetry',
    paths: ['/v1/metrics'],
    hint: 'Misstep accepts traces and the events of coding agents, no metrics; set OTEL_METRICS_EXPORTER=none.',
  },
  {
    vendor: 'OpenTelemetry',
    paths: ['/v1development/profiles'],
    hint: 'Misstep accepts traces and the events of coding agents, no profiles.',
  },
  {
    vendor: 'OpenTelemetry',
    paths: ['/v1/traces/v1/traces', '/otlp/v1/traces', '/traces'],
    hint: 'Spans are accepted at /v1/traces. OTEL_EXPORTER_OTLP_ENDPOINT is the address without that path; OTEL_EXPORTER_OTLP_TRACES_ENDPOINT is the whole address.',
  },
];

/** The message for a client that sends to a path of another vendor; null for an unknown path. */
export function vendorPathHint(path: string): string | null {
  const found = VENDORS.find(({ paths }) => paths.some((known) => isUnder(path, known)));
  if (found === undefined) return null;
  return `This is a path of ${found.vendor}. ${found.hint}`;
}

function isUnder(path: string, known: string): boolean {
  return known.endsWith('/') ? path.startsWith(known) : path === known;
}
