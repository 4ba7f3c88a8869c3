import { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';

export interface NamedSchema {
  body: JsonObject;
  /** Shapes that have a name (`.meta({ id })`); `$ref`s point to them under `#/components/schemas`. */
  named: Record<string, JsonObject>;
}

/** JSON Schema 2020-12, as in OpenAPI 3.1. `io` tells whether it describes a request or a response. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): NamedSchema {
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
  const defs = $defs as Record<string, JsonObject>;
  const named = Object.entries(defs).filter(([name]) => isNamed(name));
  return {
    body: pointingToComponents(rest as JsonObject, defs) as JsonObject,
    named: Object.fromEntries(named.map(([name, shape]) => [name, pointingToComponents(shape, defs) as JsonObject])),
  };
}

/** zod generates a name for a recursive schema without one. */
function isNamed(name: string): boolean {
  return !name.startsWith('__');
}

/** A pointer into `$defs` would refer to the root of the OpenAPI document; the only unnamed recursive schema is "any JSON value". */
function pointingToComponents(value: Json, defs: Record<string, JsonObject>): Json {
  if (Array.isArray(value)) return value.map((item) => pointingToComponents(item, defs));
  if (!isJsonObject(value)) return value;
  const name = typeof value.$ref === 'string' ? value.$ref.replace('#/$defs/', '') : null;
  if (name === null || isNamed(name)) {
    const members = Object.entries(value).map(([key, member]) => [
      key,
      key === '$ref' ? `#/components/schemas/${name}` : pointingToComponents(member, defs),
    ]);
    return Object.fromEntries(members);
  }
  if (!isAnyJson(defs[name])) throw new Error(`the recursive schema ${name} needs a name: .meta({ id })`);
  const { $ref: _, ...others } = value;
  return others;
}

function isAnyJson(schema: JsonObject | undefined): boolean {
  const types = ((schema?.anyOf ?? []) as JsonObject[]).map(({ type }) => type);
  return types.join() === 'string,number,boolean,null,array,object';
}

/** Omits the regular expression behind a named format, and JavaScript's integer bounds. */
function dropNoise(schema: z.core.JSONSchema.BaseSchema): void {
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
}
