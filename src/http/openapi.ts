import type { z } from 'zod';
import { ERROR_CODES } from '../core/app-error.ts';
import type { Json, JsonObject } from '../core/json.ts';
import type { Access, AnyOperation } from '../features/_kit/operation.ts';
import { outputSchemaOf, toJsonSchema } from './json-schema.ts';
import { handWrittenPaths } from './openapi-hand-written.ts';
import { hasKeySpace, refusalsOf, toResponses } from './openapi-refusals.ts';
import { serverPaths } from './openapi-server-paths.ts';
import { API_PREFIX } from './operation-router.ts';

/** OpenAPI 3.1 of everything the server answers. */
export function toOpenApi(operations: readonly AnyOperation[]): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const path = API_PREFIX + operation.path;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  for (const [path, item] of Object.entries({ ...handWrittenPaths(), ...serverPaths() }))
    paths[path] = { ...paths[path], ...(item as JsonObject) };
  return {
    openapi: '3.1.0',
    info: { title: 'Misstep', version: 'v1', description: 'Finds what went wrong in traces of AI-agent workflows.' },
    paths: Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1))),
    components: {
      securitySchemes: SECURITY_SCHEMES,
      schemas: { Problem: PROBLEM },
      responses: { Problem: PROBLEM_RESPONSE },
    },
  };
}

const SECURITY_SCHEMES: JsonObject = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-API-Key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key' },
  operator: { type: 'http', scheme: 'bearer', description: 'The credential of whoever runs the server' },
};

const PROBLEM: JsonObject = {
  type: 'object',
  description: 'RFC 9457',
  required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'request_id', 'errors'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string' },
    instance: { type: 'string' },
    code: { type: 'string', enum: [...ERROR_CODES] },
    request_id: { type: 'string' },
    errors: {
      type: 'array',
      items: {
        type: 'object',
        required: ['pointer', 'message'],
        properties: {
          pointer: { type: 'string', description: 'RFC 6901 into the body, or `?name` for a query parameter' },
          message: { type: 'string' },
        },
      },
    },
  },
};

const PROBLEM_RESPONSE: JsonObject = {
  description: 'Refused or failed',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

function describe(operation: AnyOperation): JsonObject {
  const described: JsonObject = {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.id.split('.')[0] ?? ''],
    security: securityOf(operation.access),
    parameters: [
      ...parametersOf(operation.params, 'path'),
      ...parametersOf(operation.query, 'query'),
      ...(hasKeySpace(operation) ? [IDEMPOTENCY_KEY] : []),
    ],
    responses: { [operation.status]: successOf(operation), ...toResponses(refusalsOf(operation)) },
  };
  if (operation.access.kind === 'tenant') described['x-scope'] = operation.access.scope;
  if (operation.body) {
    const schema = toJsonSchema(operation.body, 'input');
    described.requestBody = { required: isRequired(operation.body), content: { 'application/json': { schema } } };
  }
  return described;
}

const IDEMPOTENCY_KEY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Within 24 hours the same key and body give the first answer again',
  schema: { type: 'string', maxLength: 255 },
};

export function securityOf(access: Access): Json[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'tenant') return [{ apiKey: [] }, { bearer: [] }];
  return access.kind === 'registration' ? [{}, { operator: [] }] : [{ operator: [] }];
}

function parametersOf(schema: z.ZodObject | undefined, place: 'path' | 'query'): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

function successOf(operation: AnyOperation): JsonObject {
  const description = operation.status === 204 ? 'Done' : operation.summary;
  if (operation.status === 204) return { description };
  return { description, content: { 'application/json': { schema: outputSchemaOf(operation) } } };
}

function isRequired(body: z.ZodType): boolean {
  return !body.safeParse({}).success;
}
