import { z } from 'zod';
import { ERROR_CODES } from '../core/app-error.ts';
import type { Json, JsonObject } from '../core/json.ts';
import { bodyLimitOf, describeBodyLimit } from '../features/_kit/body-limits.ts';
import type { Access, AnyOperation } from '../features/_kit/operation.ts';
import { fieldError } from '../features/_kit/vocabulary.ts';
import { errorCodesOf, hasIdempotencyKeys, problemResponses, toResponses } from './openapi-errors.ts';
import { handWrittenPaths } from './openapi-hand-written.ts';
import { IDEMPOTENCY_KEY, parametersOf, SHARED_PARAMETERS } from './openapi-parameters.ts';
import { serverPaths } from './openapi-server-paths.ts';
import { VENDOR_SECURITY_SCHEMES } from './openapi-vendors.ts';
import { API_PREFIX } from './operation-router.ts';
import { createSchemaRegistry, type SchemaRegistry } from './schema-registry.ts';

/** OpenAPI 3.1 of all routes of the server. */
export function toOpenApi(operations: readonly AnyOperation[]): JsonObject {
  const schemaRegistry = createSchemaRegistry();
  const problem = schemaRegistry.refer(problemShape, 'output');
  const { document: paths, schemas } = schemaRegistry.resolve(pathsOf(operations, schemaRegistry));
  return {
    openapi: '3.1.0',
    info: { title: 'Misstep', version: 'v1', description: 'Detects failures in traces of AI-agent workflows.' },
    paths,
    components: {
      securitySchemes: SECURITY_SCHEMES,
      parameters: { ...SHARED_PARAMETERS },
      responses: problemResponses(problem),
      schemas,
    },
  };
}

function pathsOf(operations: readonly AnyOperation[], schemaRegistry: SchemaRegistry): JsonObject {
  const paths: Record<string, JsonObject> = {};
  for (const operation of operations) {
    const path = API_PREFIX + operation.path;
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation, schemaRegistry) };
  }
  for (const [path, item] of Object.entries({ ...handWrittenPaths(schemaRegistry), ...serverPaths() }))
    paths[path] = { ...paths[path], ...(item as JsonObject) };
  return Object.fromEntries(Object.entries(paths).sort(([one], [other]) => (one < other ? -1 : 1)));
}

const SECURITY_SCHEMES: JsonObject = {
  apiKey: { type: 'apiKey', in: 'header', name: 'X-SVC-API-Key' },
  bearer: { type: 'http', scheme: 'bearer', description: 'An access token, or an API key' },
  cookie: {
    type: 'apiKey',
    in: 'cookie',
    name: 'misstep_session_4319',
    description:
      'Session of a signed-in browser; the number is the port. Accepted wherever an API key is; requests that change something also need the `Origin` of the server',
  },
  operator: { type: 'http', scheme: 'bearer', description: 'The operator’s credential' },
  ...VENDOR_SECURITY_SCHEMES,
};

const problemShape = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.number().int(),
    detail: z.string(),
    instance: z.string(),
    code: z.enum(ERROR_CODES),
    request_id: z.string(),
    errors: z.array(fieldError),
  })
  .meta({ id: 'Problem', description: 'RFC 9457' });

function describe(operation: AnyOperation, schemaRegistry: SchemaRegistry): JsonObject {
  const described: JsonObject = {
    operationId: operation.id,
    summary: operation.summary,
    tags: [operation.id.split('.')[0] ?? ''],
    security: securityOf(operation.access),
    parameters: [
      ...parametersOf(operation.params, 'path', schemaRegistry),
      ...parametersOf(operation.query, 'query', schemaRegistry),
      ...(hasIdempotencyKeys(operation) ? [IDEMPOTENCY_KEY] : []),
    ],
    responses: { [operation.status]: successOf(operation, schemaRegistry), ...toResponses(errorCodesOf(operation)) },
  };
  if (operation.access.kind === 'tenant') described['x-scope'] = operation.access.scope;
  if (operation.body) {
    const schema = schemaRegistry.refer(operation.body, 'input');
    described.requestBody = {
      required: isRequired(operation.body),
      description: describeBodyLimit(bodyLimitOf(operation)),
      content: { 'application/json': { schema } },
    };
  }
  return described;
}

export function securityOf(access: Access): Json[] {
  if (access.kind === 'public') return [];
  if (access.kind === 'tenant') return [{ apiKey: [] }, { bearer: [] }];
  return access.kind === 'registration' ? [{}, { operator: [] }] : [{ operator: [] }];
}

const SUCCESS = { 200: 'OK', 201: 'Created', 202: 'Accepted; the work continues in the background', 204: 'Done' };

function successOf(operation: AnyOperation, schemaRegistry: SchemaRegistry): JsonObject {
  const description = SUCCESS[operation.status];
  if (operation.status === 204) return { description };
  return { description, content: { 'application/json': { schema: schemaRegistry.refer(operation.output, 'output') } } };
}

function isRequired(body: z.ZodType): boolean {
  return !body.safeParse({}).success;
}
