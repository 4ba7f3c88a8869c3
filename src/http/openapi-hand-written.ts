import type { ErrorCode } from '../core/app-error.ts';
import type { JsonObject } from '../core/json.ts';
import { BODY_LIMITS, describeBodyLimit } from '../features/_kit/body-limits.ts';
import { healthResponse } from '../features/health/health.schema.ts';
import { importRecord } from '../features/imports/import.record.ts';
import { ingestResult } from '../features/ingest/ingest-result.ts';
import { FORMAT_NAMES } from '../formats/detect/detect-format.ts';
import { codingAgentPaths } from './openapi-coding-agents.ts';
import { toResponses } from './openapi-errors.ts';
import { integrationPaths } from './openapi-integrations.ts';
import { IDEMPOTENCY_KEY, TENANT_ID } from './openapi-parameters.ts';
import { sessionPaths } from './openapi-session.ts';
import { tenantStream } from './openapi-streams.ts';
import { vendorPaths } from './openapi-vendors.ts';
import { API_PREFIX } from './operation-router.ts';
import type { SchemaRegistry } from './schema-registry.ts';

const SENT_BY_TENANT: readonly ErrorCode[] = [
  'malformed',
  'unauthenticated',
  'forbidden',
  'quota_exceeded',
  'not_found',
  'request_timeout',
  'payload_too_large',
  'unsupported_media_type',
  'invalid_body',
];
const TENANT_SECURITY: JsonObject[] = [{ apiKey: [] }, { bearer: [] }];

/** Routes that are not operations. */
export function handWrittenPaths(schemaRegistry: SchemaRegistry): JsonObject {
  return {
    [`${API_PREFIX}/tenants/{tenant_id}/traces/ingest`]: { post: ingestRoute(schemaRegistry) },
    ...sessionPaths(API_PREFIX, schemaRegistry),
    '/v1/traces': { post: OTLP_TRACES },
    '/v1/traces/ingest': { post: agentsSdkRoute(schemaRegistry) },
    [`${API_PREFIX}/import-jobs`]: { post: importRoute(schemaRegistry) },
    [`${API_PREFIX}/tenants/{tenant_id}/export`]: { get: EXPORT },
    [`${API_PREFIX}/health`]: { get: healthRoute(schemaRegistry) },
    [`${API_PREFIX}/metrics`]: { get: METRICS },
    [`${API_PREFIX}/billing/webhooks/payment`]: { post: PAYMENT_WEBHOOK },
    [`${API_PREFIX}/metrics/json`]: { get: METRICS_JSON },
    [`${API_PREFIX}/tenants/{tenant_id}/stream`]: { get: tenantStream(schemaRegistry) },
    ...integrationPaths(API_PREFIX, storedResponse(schemaRegistry)),
    ...vendorPaths(OTLP_TRACES, storedResponse(schemaRegistry), toResponses(SENT_BY_TENANT)),
    ...codingAgentPaths(API_PREFIX, schemaRegistry, OTLP_TRACES),
  };
}

const SPANS_BODY: JsonObject = {
  required: true,
  description: 'OTLP ExportTraceServiceRequest; Content-Encoding identity, gzip, deflate or zstd; 64 MiB decompressed',
  content: {
    'application/json': {
      schema: { type: 'object', required: ['resourceSpans'], properties: { resourceSpans: { type: 'array' } } },
    },
    'application/x-protobuf': {},
  },
};

function storedResponse(schemaRegistry: SchemaRegistry): JsonObject {
  return {
    description: 'Stored',
    content: { 'application/json': { schema: schemaRegistry.refer(ingestResult, 'output') } },
  };
}

function ingestRoute(schemaRegistry: SchemaRegistry): JsonObject {
  return {
    operationId: 'traces.ingest',
    summary: 'Ingest spans; responds after they are stored',
    tags: ['traces'],
    security: TENANT_SECURITY,
    'x-scope': 'ingest',
    parameters: [TENANT_ID],
    requestBody: SPANS_BODY,
    responses: {
      '202': storedResponse(schemaRegistry),
      ...toResponses(SENT_BY_TENANT),
    },
  };
}

const RPC_STATUS: JsonObject = {
  description: 'google.rpc.Status in the encoding of the request; retry only 429 and 503',
};

const RPC_ERRORS: JsonObject = Object.fromEntries(
  ['400', '401', '402', '403', '408', '413', '415', '422', 'default'].map((status) => [status, RPC_STATUS]),
);

const OTLP_TRACES: JsonObject = {
  operationId: 'otlp.traces',
  summary: 'OTLP/HTTP receiver for the tenant of the credential',
  tags: ['traces'],
  security: TENANT_SECURITY,
  'x-scope': 'ingest',
  requestBody: SPANS_BODY,
  responses: {
    '200': { description: 'ExportTraceServiceResponse in the encoding of the request' },
    ...RPC_ERRORS,
  },
};

function agentsSdkRoute(schemaRegistry: SchemaRegistry): JsonObject {
  return {
    operationId: 'openai-agents.traces',
    summary: 'Ingest records of the OpenAI Agents SDK’s trace exporter for the tenant of the credential',
    tags: ['traces'],
    security: TENANT_SECURITY,
    'x-scope': 'ingest',
    requestBody: {
      required: true,
      description: `Records of the SDK; an invalid one is rejected alone. ${describeBodyLimit(BODY_LIMITS.runs)}`,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['data'],
            properties: { data: { type: 'array', items: { type: 'object' } } },
          },
        },
      },
    },
    responses: {
      '202': storedResponse(schemaRegistry),
      ...RPC_ERRORS,
    },
  };
}

const JSON_LINES: JsonObject = { schema: { type: 'string' } };

function importRoute(schemaRegistry: SchemaRegistry): JsonObject {
  return {
    operationId: 'import-jobs.create',
    summary: 'Upload a file of JSON or JSON lines, which is imported in the background',
    tags: ['import-jobs'],
    security: TENANT_SECURITY,
    'x-scope': 'write',
    parameters: [
      { name: 'format', in: 'query', required: false, schema: { type: 'string', enum: [...FORMAT_NAMES] } },
      {
        name: 'alert',
        in: 'query',
        required: false,
        description: 'Send alerts for its detections; by default an import sends none',
        schema: { type: 'boolean', default: false },
      },
      { name: 'file_name', in: 'query', required: false, schema: { type: 'string', maxLength: 200 } },
      IDEMPOTENCY_KEY,
    ],
    requestBody: {
      required: true,
      description: 'At most 100 MB as sent; may be gzip of at most 1 GB',
      content: {
        'multipart/form-data': {
          schema: { type: 'object', required: ['file'], properties: { file: { type: 'string', format: 'binary' } } },
        },
        'application/json': {},
        'application/x-ndjson': JSON_LINES,
      },
    },
    responses: {
      '202': {
        description: 'Accepted; `Location` is the URL of the job',
        content: { 'application/json': { schema: schemaRegistry.refer(importRecord, 'output') } },
      },
      ...toResponses([...SENT_BY_TENANT, 'conflict', 'idempotency_conflict']),
    },
  };
}

const EXPORT: JsonObject = {
  operationId: 'export.get',
  summary: 'All traces with detections and feedback, and settings, as JSON lines that can be imported',
  tags: ['export'],
  security: TENANT_SECURITY,
  'x-scope': 'read',
  parameters: [TENANT_ID],
  responses: {
    '200': {
      description: 'JSON lines; gzip if the client accepts it',
      content: { 'application/x-ndjson': JSON_LINES },
    },
    ...toResponses(['invalid_query', 'unauthenticated', 'forbidden', 'not_found']),
  },
};

function healthRoute(schemaRegistry: SchemaRegistry): JsonObject {
  const content = { 'application/json': { schema: schemaRegistry.refer(healthResponse, 'output') } };
  return {
    operationId: 'health',
    summary: 'State of the service and of each component it depends on',
    tags: ['health'],
    security: [],
    responses: {
      '200': { description: 'Healthy or degraded', content },
      '503': { description: 'Unhealthy', content },
    },
  };
}

const METRICS: JsonObject = {
  operationId: 'metrics',
  summary: 'Metrics in Prometheus text format: those of the tenant, or of the instance for the operator',
  tags: ['metrics'],
  security: [...TENANT_SECURITY, { operator: [] }],
  'x-scope': 'read',
  responses: {
    '200': { description: 'Figures', content: { 'text/plain': {} } },
    ...toResponses(['unauthenticated', 'forbidden']),
  },
};

const METRICS_JSON: JsonObject = {
  ...METRICS,
  operationId: 'metrics.json',
  summary: 'The same metrics as JSON',
  responses: {
    '200': {
      description: 'Figures',
      content: {
        'application/json': {
          schema: {
            type: 'array',
            items: {
              type: 'object',
              required: ['name', 'help', 'type', 'values'],
              properties: {
                name: { type: 'string' },
                help: { type: 'string' },
                type: { type: 'string', enum: ['counter', 'gauge', 'histogram', 'summary'] },
                values: { type: 'array', items: { type: 'object' } },
              },
            },
          },
        },
      },
    },
    ...toResponses(['unauthenticated', 'forbidden']),
  },
};

const PAYMENT_WEBHOOK: JsonObject = {
  operationId: 'billing.payment-webhook',
  summary: 'Receives a signed event of the payment provider; a repeated event has no effect',
  tags: ['billing'],
  security: [],
  parameters: [
    {
      name: 'payment-signature',
      in: 'header',
      required: true,
      description: '`t=<Unix seconds>,v1=<hex HMAC-SHA256 of "t.body">`; `Stripe-Signature` is also accepted',
      schema: { type: 'string' },
    },
  ],
  requestBody: {
    required: true,
    description: describeBodyLimit(BODY_LIMITS.events),
    content: { 'application/json': { schema: { type: 'object' } } },
  },
  responses: {
    '200': {
      description: 'Taken',
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['received', 'handled', 'duplicate'],
            properties: {
              received: { type: 'boolean', const: true },
              handled: { type: 'boolean', description: 'Concerns a tenant of this instance' },
              duplicate: { type: 'boolean' },
            },
          },
        },
      },
    },
    ...toResponses([
      'malformed',
      'unauthenticated',
      'conflict',
      'payload_too_large',
      'unsupported_media_type',
      'invalid_body',
    ]),
  },
};
