import type { Json, JsonObject } from '../../../src/core/json.ts';

/**
 * An evaluation record in which the results of calls are messages of another party and the calls are only in the answers,
 * as programs send them that do not use the tool calls of the model's API. The answers must contain the calls.
 */
export function asText(record: JsonObject): JsonObject {
  const steps = (record.steps as JsonObject[]).map((step): Json => (step.kind === 'tool' ? replyOf(step) : step));
  return { ...record, steps };
}

function replyOf(step: JsonObject): JsonObject {
  return { ...step, kind: 'message', agent: 'environment', name: 'environment', input: '' };
}
