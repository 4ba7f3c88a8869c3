import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

/** A violation of a JSON Schema. Covers the keywords that tool definitions use: type, required, properties, items, enum. */
export interface SchemaViolation {
  /** Dotted path; empty for the value itself. */
  path: string;
  what: string;
  /** A number or boolean sent as text: most tools accept it. */
  isHarmless: boolean;
}

const MAX_DEPTH = 6;

export function schemaViolations(value: Json, schema: Json, path = '', depth = 0): SchemaViolation[] {
  if (!isJsonObject(schema) || depth > MAX_DEPTH || schema.$ref !== undefined || isUnion(schema)) return [];
  const types = typesOf(schema);
  if (types.length > 0 && !types.some((type) => isOfType(value, type)))
    return [{ path, what: `is ${nameOf(value)}, not ${types.join(' or ')}`, isHarmless: isCoercible(value, types) }];
  if (Array.isArray(schema.enum) && !schema.enum.some((allowed) => allowed === value))
    return [
      {
        path,
        what: `is ${JSON.stringify(value).slice(0, 60)}, not one of ${JSON.stringify(schema.enum).slice(0, 120)}`,
        isHarmless: isOtherCase(value, schema.enum),
      },
    ];
  if (isJsonObject(value)) return objectViolations(value, schema, path, depth);
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, 20)
    .flatMap((item, at) => schemaViolations(item, schema.items ?? null, `${path}[${at}]`, depth + 1));
}

function isUnion(schema: JsonObject): boolean {
  return schema.anyOf !== undefined || schema.oneOf !== undefined || schema.allOf !== undefined;
}

function typesOf({ type, nullable }: JsonObject): string[] {
  const types = (Array.isArray(type) ? type : [type]).filter((name): name is string => typeof name === 'string');
  return nullable === true && types.length > 0 ? [...types, 'null'] : types;
}

function isOfType(value: Json, type: string): boolean {
  if (type === 'integer') return Number.isInteger(value);
  if (['string', 'number', 'boolean', 'object', 'array', 'null'].includes(type)) return nameOf(value) === type;
  return true;
}

function nameOf(value: Json): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function isCoercible(value: Json, types: readonly string[]): boolean {
  if (value === null) return true;
  if (types.includes('string')) return typeof value === 'number';
  if (typeof value === 'number')
    return types.includes('integer') && Number.isInteger(Math.round(value)) && value === Math.round(value);
  return (
    typeof value === 'string' &&
    value.trim() !== '' &&
    (!Number.isNaN(Number(value)) || /^(?:true|false|null)$/i.test(value) || /^[[{]/.test(value))
  );
}

function isOtherCase(value: Json, allowed: readonly Json[]): boolean {
  const lower = String(value).toLowerCase();
  return allowed.some((each) => String(each).toLowerCase() === lower);
}

function objectViolations(value: JsonObject, schema: JsonObject, path: string, depth: number): SchemaViolation[] {
  const at = (name: string) => (path === '' ? name : `${path}.${name}`);
  const required = Array.isArray(schema.required) ? schema.required.filter((name) => typeof name === 'string') : [];
  const missing = required.filter((name) => value[name] === undefined);
  const properties = isJsonObject(schema.properties) ? schema.properties : {};
  const isClosed = schema.additionalProperties === false && Object.keys(properties).length > 0;
  const unknown = isClosed ? Object.keys(value).filter((name) => properties[name] === undefined) : [];
  return [
    ...missing.map((name) => ({ path: at(name), what: 'is missing', isHarmless: false })),
    // Validators drop unknown properties, and the call continues.
    ...unknown.map((name) => ({ path: at(name), what: 'is not known to the tool', isHarmless: true })),
    ...Object.entries(value).flatMap(([name, part]) =>
      schemaViolations(part, properties[name] ?? null, at(name), depth + 1),
    ),
  ];
}
