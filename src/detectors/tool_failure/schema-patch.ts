import type { FixChange } from '../../core/detection.ts';
import { isJsonObject, type Json } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { QUOTED_FIELD } from '../_readings/conduct/passed-arguments.ts';
import type { Failure } from './failure.ts';

/** A patch of the tool's JSON Schema that rejects wrong arguments before the call. */
export function schemaPatch(trace: Trace, { name, text }: Failure): FixChange {
  const schema = trace.toolDefinitions.find((tool) => tool.name === name)?.parameters ?? null;
  const patch: Json[] = [{ op: 'add', path: '/additionalProperties', value: false }];
  const required = requiredFields(schema, text.message);
  if (required.length > 0) patch.push({ op: 'add', path: '/required', value: required });
  return {
    target: `parameters of ${name}`,
    format: 'json-patch',
    before: schema === null ? null : JSON.stringify(schema),
    after: JSON.stringify(patch),
  };
}

/** The fields that the schema already requires, with the missing field of the error. */
function requiredFields(schema: Json, message: string): string[] {
  const found = QUOTED_FIELD.exec(message.slice(0, 400));
  const missing = found?.[1] ?? found?.[2];
  if (missing === undefined) return [];
  const known = isJsonObject(schema) && Array.isArray(schema.required) ? schema.required.map(String) : [];
  return [...new Set([...known, missing])];
}
