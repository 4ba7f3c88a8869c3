import type { JsonObject } from '../core/json.ts';
import { TOPIC_OF_EVENT, TOPICS } from '../features/streams/stream-event.ts';
import { streamQuery } from '../features/streams/stream-query.ts';
import { toResponses } from './openapi-errors.ts';
import { parametersOf, TENANT_ID } from './openapi-parameters.ts';
import type { SchemaRegistry } from './schema-registry.ts';

export const LAST_EVENT_ID: JsonObject = {
  name: 'Last-Event-ID',
  in: 'header',
  required: false,
  description: 'Sends the events after this one, or `gap` if they are no longer stored',
  schema: { type: 'string' },
};

export const EVENT_STREAM: JsonObject = {
  description: 'Stays open',
  content: { 'text/event-stream': { schema: { type: 'string' } } },
};

export function tenantStream(schemaRegistry: SchemaRegistry): JsonObject {
  const events = TOPICS.map((topic) => {
    const names = Object.entries(TOPIC_OF_EVENT).filter(([, of]) => of === topic);
    return `${topic}: ${names.map(([name]) => `\`${name}\``).join(', ')}`;
  });
  return {
    operationId: 'tenants.stream',
    summary: 'Server-sent events about everything that happens in a tenant, OTLP runs included',
    description: `Events by topic. ${events.join('. ')}. Every stream also has \`connected\`, \`gap\` and \`closing\`.`,
    tags: ['tenants'],
    security: [{ apiKey: [] }, { bearer: [] }],
    'x-scope': 'read',
    parameters: [TENANT_ID, ...parametersOf(streamQuery, 'query', schemaRegistry), LAST_EVENT_ID],
    responses: {
      '200': EVENT_STREAM,
      ...toResponses(['invalid_query', 'unauthenticated', 'forbidden', 'not_found']),
    },
  };
}
