import type { JsonObject } from '../core/json.ts';
import { API_PREFIX } from './operation-router.ts';

const PROBLEM_REF: JsonObject = { $ref: '#/components/responses/Problem' };
const TENANT_SECURITY: JsonObject[] = [{ apiKey: [] }, { bearer: [] }];

/** Routes that are no operations. */
export function handWrittenPaths(): JsonObject {
  return {
    [`${API_PREFIX}/tenants/{tenant_id}/traces/ingest`]: { post: INGEST },
    '/v1/traces': { post: OTLP_TRACES },
    [`${API_PREFIX}/health`]: { get: HEALTH },
    [`${API_PREFIX}/metrics`]: { get: METRICS },
  };
}

const SPANS_BODY: JsonObject = {
  required: true,
  description: 'OTLP ExportTraceServiceRequest; Content-Encoding identity, gzip or deflate; 64 MiB unpacked',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['resourceSpans'], properties: { resourceSpans: { type: 'array' } } },
    },
    'application/x-protobuf': {},
  },
};

const INGEST: JsonObject = {
  operationId: 'traces.ingest',
  summary: 'Take spans; answered once they are stored',
  tags: ['traces'],
  security: TENANT_SECURITY,
  'x-scope': 'ingest',
  parameters: [{ name: 'tenant_id', in: 'path', required: true, schema: { type: 'string' } }],
  requestBody: SPANS_BODY,
  responses: {
    '202': {
      description: 'Stored',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['accepted_spans', 'rejected_spans', 'trace_ids', 'errors'],
            properties: {
              accepted_spans: { type: 'integer' },
              rejected_spans: { type: 'integer' },
              trace_ids: { type: 'array', items: { type: 'string' } },
              errors: {
                type: 'array',
                items: {
                  type: 'object',
                  required: ['pointer', 'message'],
                  properties: { pointer: { type: 'string' }, message: { type: 'string' } },
                },
              },
            },
          },
        },
      },
    },
    default: PROBLEM_REF,
  },
};

const OTLP_TRACES: JsonObject = {
  operationId: 'otlp.traces',
  summary: 'OTLP/HTTP receiver; the tenant is the credential’s',
  tags: ['traces'],
  security: TENANT_SECURITY,
  'x-scope': 'ingest',
  requestBody: SPANS_BODY,
  responses: {
    '200': { description: 'ExportTraceServiceResponse in the encoding of the request' },
    default: { description: 'google.rpc.Status in the encoding of the request; only 429 and 503 are worth a retry' },
  },
};

const HEALTH_SCHEMA: JsonObject = {
  type: 'object',
  required: ['status', 'database', 'redis', 'cache', 'version', 'queue_depth'],
  properties: {
    status: { type: 'string', enum: ['healthy', 'degraded', 'unhealthy'] },
    database: { type: 'string', enum: ['ok', 'unavailable'] },
    redis: { type: 'string' },
    cache: { type: 'string' },
    version: { type: 'string' },
    queue_depth: { type: 'integer', description: 'Spans that wait for the disk' },
  },
};

const HEALTH: JsonObject = {
  operationId: 'health',
  summary: 'Whether database and cache answer',
  tags: ['health'],
  security: [],
  responses: {
    '200': { description: 'Healthy or degraded', content: { 'application/json': { schema: HEALTH_SCHEMA } } },
    '503': { description: 'Unhealthy', content: { 'application/json': { schema: HEALTH_SCHEMA } } },
  },
};

const METRICS: JsonObject = {
  operationId: 'metrics',
  summary: 'Figures of the instance in Prometheus text format',
  tags: ['metrics'],
  security: [{ operator: [] }],
  responses: { '200': { description: 'Figures', content: { 'text/plain': {} } }, default: PROBLEM_REF },
};
