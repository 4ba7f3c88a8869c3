import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';
import { SCHEMA_PREFIX } from '../schema-registry.ts';

/** The TypeScript type of a JSON Schema of the API description. */
export function typeOfSchema(schema: JsonObject, indent = ''): string {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(SCHEMA_PREFIX.length);
  if ('const' in schema) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum)) return unionOf(schema.enum.map((value) => JSON.stringify(value)));
  const options = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined;
  if (options) return unionOf(options.map((option) => typeOfSchema(option, indent)));
  const types = [schema.type ?? 'any'].flat() as string[];
  return unionOf(types.map((type) => typeOfKind(type, schema, indent)));
}

function typeOfKind(kind: string, schema: JsonObject, indent: string): string {
  if (kind === 'string') return schema.format === 'binary' ? 'Blob' : 'string';
  if (kind === 'integer' || kind === 'number') return 'number';
  if (kind === 'boolean' || kind === 'null') return kind;
  if (kind === 'array') return typeOfArray(schema, indent);
  return kind === 'object' ? typeOfObject(schema, indent) : 'unknown';
}

function typeOfArray({ items, prefixItems }: JsonObject, indent: string): string {
  if (Array.isArray(prefixItems)) {
    return `[${prefixItems.map((item) => typeOfSchema(item as JsonObject, indent)).join(', ')}]`;
  }
  const item = isJsonObject(items ?? null) ? typeOfSchema(items as JsonObject, indent) : 'unknown';
  return /^[\w.]+$/.test(item) ? `${item}[]` : `Array<${item}>`;
}

function typeOfObject(schema: JsonObject, indent: string): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>);
  const { additionalProperties: rest } = schema;
  if (properties.length === 0) return rest === false ? 'Record<string, never>' : typeOfMap(schema, indent);
  const required = (schema.required ?? []) as string[];
  const members = properties.map(([name, member]) => memberOf(name, member, required.includes(name), `${indent}  `));
  // The type of additional members cannot be expressed if named members have other types.
  if (isJsonObject(rest ?? null) || rest === true) members.push(`${indent}  [name: string]: unknown;`);
  return `{\n${members.join('\n')}\n${indent}}`;
}

function typeOfMap({ additionalProperties: rest, propertyNames: names }: JsonObject, indent: string): string {
  const value = isJsonObject(rest ?? null) ? typeOfSchema(rest as JsonObject, indent) : 'unknown';
  const key = isJsonObject(names ?? null) ? typeOfSchema(names as JsonObject, indent) : 'string';
  return key === 'string' ? `Record<string, ${value}>` : `Partial<Record<${key}, ${value}>>`;
}

/** One line of an object type, with its description above. */
export function memberOf(name: string, schema: JsonObject, isRequired: boolean, indent: string): string {
  const key = /^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name);
  const type = typeOfSchema(schema, indent);
  return `${docOf(schema.description, indent)}${indent}${key}${isRequired ? '' : '?'}: ${type};`;
}

/** A doc comment of one line, or an empty string. */
export function docOf(text: Json | undefined, indent: string): string {
  return typeof text === 'string' ? `${indent}/** ${text.replaceAll('*/', '*\\/').replaceAll(/\s+/g, ' ')} */\n` : '';
}

function unionOf(types: string[]): string {
  return [...new Set(types)].join(' | ');
}
