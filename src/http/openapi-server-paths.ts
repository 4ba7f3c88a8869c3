import type { JsonObject } from '../core/json.ts';
import { toResponses } from './openapi-errors.ts';

/** Paths outside the API's prefix: server information, health and documentation. */
export function serverPaths(): JsonObject {
  return {
    '/': { get: rootPage() },
    '/ui': { get: textPage('web-page', 'The web page', 'text/html') },
    '/ui/{path}': { get: withPath('path', textPage('web-view', 'A view of the web page', 'text/html')) },
    '/ui/assets/{name}': {
      get: withPath(
        'name',
        textPage('web-file', 'A script, the styles or the icon of the web page', 'text/javascript'),
      ),
    },
    '/openapi.json': { get: page('openapi', 'This description', { type: 'object' }) },
    '/docs': { get: textPage('docs', 'This description as a page', 'text/html') },
    '/misstep-client.ts': {
      get: textPage('typescript-client', 'A typed client of this interface in TypeScript', 'text/plain'),
    },
    '/livez': { get: page('livez', 'Whether the process responds', statusOf('ok')) },
    '/readyz': { get: page('readyz', 'Whether it can serve requests', statusOf('ready'), statusOf('unavailable')) },
  };
}

function page(operationId: string, summary: string, schema: JsonObject, unavailable?: JsonObject): JsonObject {
  const jsonResponse = (description: string, of: JsonObject) => ({
    description,
    content: { 'application/json': { schema: of } },
  });
  return {
    operationId,
    summary,
    tags: ['server'],
    security: [],
    responses: {
      '200': jsonResponse(summary, schema),
      ...(unavailable ? { '503': jsonResponse('Not ready', unavailable) } : {}),
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

/** An unknown value is 404. */
function withPath(name: string, described: JsonObject): JsonObject {
  const responses = { ...(described.responses as JsonObject), ...toResponses(['not_found']) };
  return { ...described, responses, parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }] };
}

/** A browser gets the web page. */
function rootPage(): JsonObject {
  const described = page(
    'root',
    'The server and its version',
    objectOf(['name', 'version', 'api', 'openapi', 'docs', 'ui']),
  );
  const { content } = (described.responses as { '200': { content: JsonObject } })['200'];
  content['text/html'] = { schema: { type: 'string' } };
  return described;
}

function textPage(operationId: string, summary: string, type: string): JsonObject {
  return {
    operationId,
    summary,
    tags: ['server'],
    security: [],
    responses: {
      '200': { description: 'OK', content: { [type]: { schema: { type: 'string' } } } },
      default: { $ref: '#/components/responses/Problem' },
    },
  };
}

function objectOf(names: string[]): JsonObject {
  return {
    type: 'object',
    required: names,
    properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
  };
}

function statusOf(status: string): JsonObject {
  return { type: 'object', required: ['status'], properties: { status: { type: 'string', enum: [status] } } };
}
