import type { Fix, FixChange } from '../../core/detection.ts';
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import type { Trace } from '../../core/trace.ts';
import { QUOTED_FIELD } from '../_readings/conduct/passed-arguments.ts';
import type { Failure } from './failure.ts';
import { fixOf } from './remedy.ts';

/**
 * A patch of the tool's JSON Schema that rejects wrong arguments before the call; in words if the schema has all of it.
 *
 * @param missing fields that the calls lacked; if omitted, the one that the error names
 */
export function schemaPatch(trace: Trace, { name, text }: Failure, missing?: readonly string[]): FixChange {
  const schema = trace.toolDefinitions.find((tool) => tool.name === name)?.parameters ?? null;
  const known = isJsonObject(schema) ? schema : {};
  const required = requiredFields(known, missing ?? fieldIn(text.message));
  const patch: Json[] = [
    ...(known.additionalProperties === false ? [] : [{ op: 'add', path: '/additionalProperties', value: false }]),
    ...(required.length === 0 ? [] : [{ op: 'add', path: '/required', value: required }]),
  ];
  const target = `parameters of ${name}`;
  if (patch.length === 0)
    return {
      target,
      format: 'text',
      before: null,
      after: `check each call of ${name} against this schema before it runs, and name the wrong field in the error`,
    };
  return {
    target,
    format: 'json-patch',
    before: schema === null ? null : JSON.stringify(schema),
    after: JSON.stringify(patch),
  };
}

/** Tightens the schema, or checks calls against it if it is tight already. */
export function schemaFix({ name }: Failure, change: Fix['changes'][number]): Fix {
  const isTight = change.format === 'text';
  return fixOf(name, {
    fixType: 'tool_change',
    title: isTight ? `Check the calls of ${name} against its schema` : `Tighten the schema of ${name}`,
    description: isTight
      ? `Check each call of ${name} against its schema before it runs, and name the wrong field in the error.`
      : `Declare every argument of ${name} with its type, format and an example, check calls against the schema, and name the wrong field in the error.`,
    rationale: isTight
      ? 'The schema does not allow this call, and the call was made.'
      : 'The call was rejected because of its arguments: the schema let the model send them.',
    change,
  });
}

function fieldIn(message: string): string[] {
  const found = QUOTED_FIELD.exec(message.slice(0, 400));
  const missing = found?.[1] ?? found?.[2];
  return missing === undefined ? [] : [missing];
}

/** The fields that the schema already requires, with the missing ones; empty if it requires all of them. */
function requiredFields({ required }: JsonObject, missing: readonly string[]): string[] {
  const known = Array.isArray(required) ? required.map(String) : [];
  return missing.every((field) => known.includes(field)) ? [] : [...new Set([...known, ...missing])];
}
