import { z } from 'zod';
import type { JsonObject } from '../../core/json.ts';
import { canonicalTraceId } from '../traces/canonical-trace-id.ts';
import { type StreamEvent, TOPIC_OF_EVENT, TOPICS, type Topic } from './stream-event.ts';

/** Query of a tenant's stream. */
export const streamQuery = z.object({
  topics: z
    .string()
    .default(TOPICS.join(','))
    .transform((text) => text.split(','))
    .refine((names): names is Topic[] => names.every((name) => (TOPICS as readonly string[]).includes(name)), {
      message: `must be a comma-separated list of ${TOPICS.join(', ')}`,
    })
    .describe(`Comma-separated list of ${TOPICS.map((topic) => `\`${topic}\``).join(', ')}; default: all`),
  trace_id: z.string().min(1).max(128).optional().describe('Only events about this trace'),
});

/** The events that a query selects. A `gap` is part of every stream. */
export function createEventFilter(query: z.output<typeof streamQuery>): (event: StreamEvent) => boolean {
  const topics = new Set<string>(query.topics);
  const traceId = query.trace_id === undefined ? null : canonicalTraceId(query.trace_id);
  return ({ event, data }) =>
    event === 'gap' || (topics.has(TOPIC_OF_EVENT[event]) && (traceId === null || isAbout(data, traceId)));
}

/** An alert covers the traces of its items. */
function isAbout(data: JsonObject, traceId: string): boolean {
  if (data.trace_id === traceId) return true;
  return Array.isArray(data.items) && data.items.some((item) => (item as JsonObject).trace_id === traceId);
}
