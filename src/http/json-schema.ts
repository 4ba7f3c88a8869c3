import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. `io` says whether it is sent or answered. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const {
    $schema: _,
    $defs = {},
    ...rest
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => dropNoise(jsonSchema),
  });
  return withoutDefs(rest as JsonObject, $defs as Record<string, JsonObject>) as JsonObject;
}

/** A pointer into `$defs` would lead to the root of the OpenAPI document; only "any JSON value" is recursive so far. */
function withoutDefs(value: Json, defs: Record<string, JsonObject>): Json {
  if (Array.isArray(value)) return value.map((item) => withoutDefs(item, defs));
  if (!isJsonObject(value)) return value;
  const name = typeof value.$ref === 'string' ? value.$ref.replace('#/$defs/', '') : null;
  if (name === null) {
    return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, withoutDefs(member, defs)]));
  }
  if (!isAnyJson(defs[name])) throw new Error(`the recursive schema ${name} needs a component of its own`);
  const { $ref: _, ...said } = value;
  return said;
}

function isAnyJson(schema: JsonObject | undefined): boolean {
  const types = ((schema?.anyOf ?? []) as JsonObject[]).map(({ type }) => type);
  return types.join() === 'string,number,boolean,null,array,object';
}

/** The regular expression behind a named format, and the bounds that every integer of JavaScript has. */
function dropNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}

export function outputSchemaOf(operation: AnyOperation): JsonObject {
  return toJsonSchema(operation.output, 'output');
}
