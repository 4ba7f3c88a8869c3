import { AppError } from '../../core/app-error.ts';
import { isJsonObject } from '../../core/json.ts';
import { decodeEvents, type EventOutcomes } from '../../formats/langfuse/decode-events.ts';
import { BODY_LIMITS } from '../_kit/body-limits.ts';
import { parseJsonBody } from '../_kit/parse-json-body.ts';
import type { BodyDecoder } from './prepare.ts';

/** The response names every event. The SDKs send some hundred at most. */
export const MAX_EVENTS = 10_000;

/** `{batch: [event, …]}` of Langfuse's ingestion API. */
export const langfuseEvents: BodyDecoder<null, EventOutcomes> = {
  name: 'langfuse-events',
  maxInlineNodes: 4_000,
  decode(body) {
    const value = parseJsonBody(body, BODY_LIMITS.batches);
    if (!isJsonObject(value) || !Array.isArray(value.batch))
      throw new AppError('invalid_body', 'The body must be {"batch": […]} with events of Langfuse’s ingestion API.', {
        errors: [{ pointer: '/batch', message: 'must be a list of events' }],
      });
    if (value.batch.length > MAX_EVENTS)
      throw new AppError('payload_too_large', `The batch has more than ${MAX_EVENTS} events; send smaller ones.`, {
        errors: [{ pointer: '/batch', message: `must have at most ${MAX_EVENTS} events` }],
      });
    const { outcomes, ...decoded } = decodeEvents(value.batch);
    return { ...decoded, facts: outcomes };
  },
};
