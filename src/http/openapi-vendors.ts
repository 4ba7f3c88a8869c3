import type { Json, JsonObject } from '../core/json.ts';
import { BODY_LIMITS, describeBodyLimit } from '../features/_kit/body-limits.ts';
import { MAX_EVENTS } from '../features/ingest/langfuse-decoder.ts';

const KEY: Json[] = [{ apiKey: [] }, { bearer: [] }];
const LANGFUSE_SECURITY: Json[] = [...KEY, { langfuse: [] }];
const LANGSMITH_SECURITY: Json[] = [...KEY, { langsmith: [] }];

export const VENDOR_SECURITY_SCHEMES: JsonObject = {
  langfuse: {
    type: 'http',
    scheme: 'basic',
    description: 'As Langfuse’s SDKs send it: the password (their secret key) is an API key, the user name is ignored',
  },
  langsmith: {
    type: 'apiKey',
    in: 'header',
    name: 'X-API-Key',
    description: 'An API key, as LangSmith’s SDKs send it',
  },
};

/** Routes under the paths of other vendors, for their SDKs. @param stored response to accepted spans */
export function vendorPaths(tracesRoute: JsonObject, stored: JsonObject, errors: JsonObject): JsonObject {
  const runs = (operationId: string, summary: string, more: JsonObject = {}): JsonObject => ({
    operationId,
    summary,
    tags: ['vendors'],
    security: LANGSMITH_SECURITY,
    'x-scope': 'ingest',
    requestBody: jsonBody('Runs of LangSmith’s API', { type: 'object' }),
    responses: { '202': stored, ...errors },
    ...more,
  });
  return {
    '/api/public/otel/v1/traces': {
      post: {
        ...tracesRoute,
        operationId: 'langfuse.otlp',
        summary: 'OTLP/HTTP receiver under the path of Langfuse’s SDKs',
        tags: ['vendors'],
        security: LANGFUSE_SECURITY,
      },
    },
    '/otel/v1/traces': {
      post: {
        ...tracesRoute,
        operationId: 'langsmith.otlp',
        summary: 'OTLP/HTTP receiver under the path of LangSmith’s SDKs',
        tags: ['vendors'],
        security: LANGSMITH_SECURITY,
      },
    },
    '/api/public/ingestion': { post: ingestion(errors) },
    '/api/public/health': {
      get: open('langfuse.health', 'Health check of Langfuse’s SDKs', ['status', 'version']),
    },
    '/info': {
      get: open('langsmith.info', 'Server information for LangSmith’s SDKs', ['version', 'batch_ingest_config']),
    },
    '/runs': { post: runs('langsmith.create-run', 'Ingest one run of LangSmith’s SDKs') },
    '/runs/batch': { post: runs('langsmith.take-batch', 'Ingest runs and their updates: `{post: […], patch: […]}`') },
    '/runs/multipart': {
      post: runs('langsmith.take-multipart', 'The same as multipart; attachments and feedback are ignored', {
        requestBody: {
          required: true,
          description: `Parts \`post.<id>\`, \`patch.<id>\` and \`post.<id>.<field>\`; at most 64 MiB with attachments. Without them: ${describeBodyLimit(BODY_LIMITS.batches)}`,
          content: { 'multipart/form-data': { schema: { type: 'object' } } },
        },
      }),
    },
    '/runs/{run_id}': {
      patch: runs('langsmith.update-run', 'Complete a run that was posted before', {
        parameters: [{ name: 'run_id', in: 'path', required: true, schema: { type: 'string' } }],
      }),
    },
  };
}

function ingestion(errors: JsonObject): JsonObject {
  const outcome = (names: string[]): JsonObject => ({
    type: 'array',
    items: { type: 'object', required: names, properties: { id: { type: 'string' }, status: { type: 'integer' } } },
  });
  return {
    operationId: 'langfuse.ingestion',
    summary: 'Ingest event batches of Langfuse’s SDKs before version 4; an invalid event is rejected alone',
    tags: ['vendors'],
    security: LANGFUSE_SECURITY,
    'x-scope': 'ingest',
    requestBody: jsonBody('Events', {
      type: 'object',
      required: ['batch'],
      properties: { batch: { type: 'array', maxItems: MAX_EVENTS, items: { type: 'object' } } },
    }),
    responses: {
      '207': {
        description: 'Stored; has a status per event',
        content: {
          'application/json': {
            schema: {
              type: 'object',
              required: ['successes', 'errors'],
              properties: {
                successes: outcome(['id', 'status']),
                errors: outcome(['id', 'status', 'message', 'error']),
              },
            },
          },
        },
      },
      ...errors,
    },
  };
}

function jsonBody(what: string, schema: JsonObject): JsonObject {
  return {
    required: true,
    description: `${what}. ${describeBodyLimit(BODY_LIMITS.batches)}`,
    content: { 'application/json': { schema } },
  };
}

function open(operationId: string, summary: string, required: string[]): JsonObject {
  return {
    operationId,
    summary,
    tags: ['vendors'],
    security: [],
    responses: {
      '200': { description: 'OK', content: { 'application/json': { schema: { type: 'object', required } } } },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}
