import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Attributes } from '../../core/span.ts';
import { withoutNulls } from '../misstep/without-nulls.ts';

/** Attributes of an observation event, under the names that Langfuse's own OpenTelemetry exporter writes. */
export function observationAttributes(type: string, body: JsonObject): Attributes {
  const usage = isJsonObject(body.usage) ? body.usage : {};
  return withoutNulls({
    'langfuse.observation.type': type,
    'langfuse.observation.input': textOf(body.input),
    'langfuse.observation.output': textOf(body.output),
    'langfuse.observation.level': stringOf(body.level),
    'langfuse.observation.status_message': stringOf(body.statusMessage),
    'langfuse.observation.model.name': stringOf(body.model),
    'langfuse.observation.model.parameters': textOf(body.modelParameters),
    'langfuse.observation.usage_details': textOf(body.usageDetails ?? body.usage),
    'langfuse.observation.cost_details': textOf(body.costDetails ?? costsOf(usage)),
    'langfuse.observation.completion_start_time': stringOf(body.completionStartTime),
    'langfuse.observation.prompt.name': stringOf(body.promptName),
    'langfuse.observation.prompt.version': typeof body.promptVersion === 'number' ? body.promptVersion : null,
    ...commonAttributes(body),
    ...metadataAttributes('langfuse.observation.metadata', body.metadata),
  });
}

export function traceAttributes(body: JsonObject): Attributes {
  return withoutNulls({
    'langfuse.trace.name': stringOf(body.name),
    'langfuse.trace.input': textOf(body.input),
    'langfuse.trace.output': textOf(body.output),
    'langfuse.trace.tags': Array.isArray(body.tags) ? body.tags : null,
    'session.id': stringOf(body.sessionId),
    'user.id': stringOf(body.userId),
    'langfuse.release': stringOf(body.release),
    ...commonAttributes(body),
    ...metadataAttributes('langfuse.trace.metadata', body.metadata),
  });
}

function commonAttributes(body: JsonObject): Record<string, Json> {
  return { 'langfuse.version': stringOf(body.version), 'langfuse.environment': stringOf(body.environment) };
}

/** Older SDKs send costs next to the token counts. */
function costsOf({ inputCost, outputCost, totalCost }: JsonObject): Json {
  const costs = Object.entries({ input: inputCost, output: outputCost, total: totalCost });
  const sent = costs.filter(([, cost]) => typeof cost === 'number');
  return sent.length === 0 ? null : (Object.fromEntries(sent) as JsonObject);
}

function metadataAttributes(prefix: string, metadata: Json | undefined): Record<string, Json> {
  if (!isJsonObject(metadata)) return { [prefix]: textOf(metadata) };
  return Object.fromEntries(Object.entries(metadata).map(([key, value]) => [`${prefix}.${key}`, textOf(value)]));
}

function stringOf(value: Json | undefined): string | null {
  return typeof value === 'string' && value !== '' ? value : null;
}

function textOf(value: Json | undefined): string | null {
  if (value === undefined || value === null) return null;
  return typeof value === 'string' ? value : JSON.stringify(value);
}
