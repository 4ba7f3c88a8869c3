import fc from 'fast-check';
import { isJsonObject, type Json, type JsonObject } from '../../src/core/json.ts';

/** Values that a JSON Schema of the interface description allows. Refinements in code are not covered. */
export interface SchemaValues {
  /** Any value the schema allows. */
  valuesOf(schema: JsonObject): fc.Arbitrary<Json>;
  /** One simple value with only the required members. */
  sampleOf(schema: JsonObject): Json;
}

export function createSchemaValues(components: Record<string, JsonObject>): SchemaValues {
  const resolve = (schema: JsonObject): JsonObject => {
    const name = typeof schema.$ref === 'string' ? schema.$ref.split('/').at(-1) : undefined;
    return name === undefined ? schema : resolve(components[name]!);
  };

  function valuesOf(given: JsonObject, depth = 0): fc.Arbitrary<Json> {
    const schema = resolve(given);
    if ('const' in schema) return fc.constant(schema.const!);
    if (Array.isArray(schema.enum)) return fc.constantFrom(...schema.enum);
    const options = optionsOf(schema);
    if (options.length > 0) return fc.oneof(...options.map((option) => valuesOf(option, depth)));
    const types = [schema.type ?? 'any'].flat() as string[];
    return fc.oneof(...types.map((type) => valuesOfType(type, schema, depth)));
  }

  function valuesOfType(type: string, schema: JsonObject, depth: number): fc.Arbitrary<Json> {
    if (type === 'string') return stringsOf(schema);
    if (type === 'integer') return fc.integer(rangeOf(schema, 1));
    if (type === 'number') return fc.double({ ...rangeOf(schema, 0), noNaN: true, noDefaultInfinity: true });
    if (type === 'boolean') return fc.boolean();
    if (type === 'null') return fc.constant(null);
    if (type === 'array') return arraysOf(schema, depth);
    if (type === 'object') return objectsOf(schema, depth);
    return fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<Json>;
  }

  function arraysOf(schema: JsonObject, depth: number): fc.Arbitrary<Json> {
    const items = isJsonObject(schema.items ?? null) ? (schema.items as JsonObject) : {};
    const minLength = Number(schema.minItems ?? 0);
    const maxLength = Math.max(minLength, Math.min(Number(schema.maxItems ?? 3), 3));
    return fc.array(valuesOf(items, depth + 1), { minLength, maxLength });
  }

  function objectsOf(schema: JsonObject, depth: number): fc.Arbitrary<Json> {
    const members = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).map(
      ([name, member]) => [name, valuesOf(member, depth + 1)] as const,
    );
    const named = fc.record(Object.fromEntries(members), { requiredKeys: (schema.required ?? []) as string[] });
    const rest = schema.additionalProperties;
    if (rest === undefined || rest === false || depth > 3) return named as fc.Arbitrary<Json>;
    const names = isJsonObject(schema.propertyNames ?? null)
      ? valuesOf(schema.propertyNames as JsonObject)
      : fc.string();
    const others = fc.dictionary(
      names.map(String).filter((name) => name !== '__proto__'),
      valuesOf(isJsonObject(rest) ? rest : {}, depth + 1),
      { maxKeys: 2 },
    );
    return fc.tuple(others, named).map(([some, value]) => ({ ...some, ...(value as JsonObject) }));
  }

  function sampleOf(given: JsonObject): Json {
    const schema = resolve(given);
    if (schema.type === 'object') {
      const properties = (schema.properties ?? {}) as Record<string, JsonObject>;
      return Object.fromEntries(
        ((schema.required ?? []) as string[]).map((name) => [name, sampleOf(properties[name] ?? {})]),
      );
    }
    if (schema.default !== undefined) return schema.default;
    if (Array.isArray(schema.examples)) return schema.examples[0]!;
    if (schema.format === 'date-time') return '2099-01-31T12:00:00.000Z';
    return fc.sample(valuesOf(schema), { numRuns: 1, seed: 1 })[0]!;
  }

  return { valuesOf, sampleOf };
}

function optionsOf(schema: JsonObject): JsonObject[] {
  return (schema.anyOf ?? schema.oneOf ?? []) as JsonObject[];
}

const MAX_MS = Date.UTC(2100, 0, 1);
const MAX_LENGTH = 200;

function stringsOf(schema: JsonObject): fc.Arbitrary<string> {
  if (schema.format === 'date-time') {
    return fc.integer({ min: 0, max: MAX_MS }).map((ms) => new Date(ms).toISOString());
  }
  if (schema.format === 'email') return fc.emailAddress();
  if (schema.format === 'uri') return fc.webUrl();
  const minLength = Number(schema.minLength ?? 0);
  const maxLength = Math.max(minLength, Math.min(Number(schema.maxLength ?? MAX_LENGTH), MAX_LENGTH));
  const texts = fc.string({ unit: 'grapheme', minLength, maxLength });
  if (typeof schema.pattern !== 'string') return texts;
  return fc.stringMatching(new RegExp(schema.pattern)).filter((text) => text.length >= minLength);
}

/** @param step distance from an exclusive bound, 0 for an inclusive one */
function rangeOf(schema: JsonObject, step: number): { min: number; max: number } {
  const min = schema.exclusiveMinimum === undefined ? schema.minimum : Number(schema.exclusiveMinimum) + (step || 1e-9);
  const max = schema.exclusiveMaximum === undefined ? schema.maximum : Number(schema.exclusiveMaximum) - (step || 1e-9);
  return { min: Number(min ?? -1_000_000), max: Number(max ?? Math.max(1_000_000, Number(min ?? 0))) };
}
