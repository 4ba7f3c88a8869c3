import type { FixChange } from '../../core/detection.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { QUOTED_FIELD } from '../_readings/conduct/passed-arguments.ts';
import type { Failure } from './failure.ts';

/**
 * A patch of the tool's JSON Schema that rejects wrong arguments before the call.
 *
 * @param missing fields that the calls lacked; if omitted, the one that the error names
 */
export function schemaPatch(trace: Trace, { name, text }: Failure, missing?: readonly string[]): FixChange {
  const schema = trace.toolDefinitions.find((tool) => tool.name === name)?.parameters ?? null;
  const patch: Json[] = [{ op: 'add', path: '/additionalProperties', value: false }];
  const required = requiredFields(schema, missing ?? fieldIn(text.message));
  if (required.length > 0) patch.push({ op: 'add', path: '/required', value: required });
  return {
    target: `parameters of ${name}`,
    format: 'json-patch',
    before: schema === null ? null : JSON.stringify(schema),
    after: JSON.stringify(patch),
  };
}

function fieldIn(message: string): string[] {
  const found = QUOTED_FIELD.exec(message.slice(0, 400));
  const missing = found?.[1] ?? found?.[2];
  return missing === undefined ? [] : [missing];
}

/** The fields that the schema already requires, with the missing ones; empty if none is missing. */
function requiredFields(schema: Json, missing: readonly string[]): string[] {
  if (missing.length === 0) return [];
  const known = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required.map(String) : [];
  return [...new Set([...known, ...missing])];
}
