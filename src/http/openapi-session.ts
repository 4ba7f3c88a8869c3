import type { JsonObject } from '../core/json.ts';
import { BODY_LIMITS, describeBodyLimit } from '../features/_kit/body-limits.ts';
import { sessionRecord, signInBody } from '../features/identity/session.record.ts';
import { toResponses } from './openapi-errors.ts';
import type { SchemaRegistry } from './schema-registry.ts';

const SET_COOKIE: JsonObject = {
  'Set-Cookie': {
    description: '`misstep_session_<port>`: HttpOnly, SameSite=Strict, and Secure if the public URL is https',
    schema: { type: 'string' },
  },
};

/** Browser sessions. */
export function sessionPaths(prefix: string, schemaRegistry: SchemaRegistry): JsonObject {
  const session = { 'application/json': { schema: schemaRegistry.refer(sessionRecord, 'output') } };
  const common = { tags: ['sessions'] };
  return {
    [`${prefix}/auth/session`]: {
      post: {
        ...common,
        operationId: 'sessions.create',
        summary: 'Sign in with an API key or the token of a one-time link; the response sets a cookie',
        security: [],
        requestBody: {
          required: true,
          description: describeBodyLimit(BODY_LIMITS.credentials),
          content: { 'application/json': { schema: schemaRegistry.refer(signInBody, 'input') } },
        },
        responses: {
          '201': { description: 'Signed in', headers: SET_COOKIE, content: session },
          ...toResponses([
            'malformed',
            'invalid_query',
            'unauthenticated',
            'request_timeout',
            'payload_too_large',
            'unsupported_media_type',
            'invalid_body',
          ]),
        },
      },
      get: {
        ...common,
        operationId: 'sessions.get',
        summary: 'The signed-in user with scopes, and the features of this instance; any credential is accepted',
        security: [{ cookie: [] }],
        responses: {
          '200': { description: 'OK', content: session },
          ...toResponses(['invalid_query', 'unauthenticated']),
        },
      },
      delete: {
        ...common,
        operationId: 'sessions.delete',
        summary: 'Sign out',
        security: [],
        responses: {
          '204': { description: 'Signed out', headers: SET_COOKIE },
          ...toResponses(['invalid_query', 'host_not_allowed']),
        },
      },
    },
  };
}
