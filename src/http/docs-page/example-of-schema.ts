import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts';

const MAX_DEPTH = 8;

/** An example value that a schema of the API description allows. */
export function exampleOfSchema(schema: JsonObject, schemas: Record<string, JsonObject>, name = '', depth = 0): Json {
  if (typeof schema.$ref === 'string') {
    return exampleOfSchema(schemas[schema.$ref.split('/').at(-1)!] ?? {}, schemas, name, depth);
  }
  if (Array.isArray(schema.examples)) return schema.examples[0] ?? null;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined && schema.default !== null) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null;
  const options = (schema.anyOf ?? schema.oneOf) as JsonObject[] | undefined;
  if (options) return exampleOfSchema(options.find(({ type }) => type !== 'null') ?? {}, schemas, name, depth);
  const type = [schema.type ?? 'any'].flat().find((one) => one !== 'null') as string;
  if (type === 'object') return sampleObject(schema, schemas, depth);
  if (type === 'array') return sampleList(schema, schemas, name, depth);
  return samplePlain(type, schema, name);
}

function sampleObject(schema: JsonObject, schemas: Record<string, JsonObject>, depth: number): Json {
  const required = (schema.required ?? []) as string[];
  const members = Object.entries((schema.properties ?? {}) as Record<string, JsonObject>).filter(
    ([name, member]) => required.includes(name) || (depth < MAX_DEPTH && canBeShown(member)),
  );
  return Object.fromEntries(
    members.map(([name, member]) => [name, exampleOfSchema(member, schemas, name, depth + 1)] as const),
  );
}

/** A text that must match a pattern is omitted if no example is given, and so is a value without constraints. */
function canBeShown(schema: JsonObject): boolean {
  const isFree = Object.keys(schema).every((key) => key === 'description');
  const options = (schema.anyOf ?? [schema]) as JsonObject[];
  return !isFree && options.every(({ pattern, examples }) => pattern === undefined || examples !== undefined);
}

function sampleList(schema: JsonObject, schemas: Record<string, JsonObject>, name: string, depth: number): Json {
  if (Array.isArray(schema.prefixItems)) {
    return schema.prefixItems.map((item) => exampleOfSchema(item as JsonObject, schemas, name, depth + 1));
  }
  const { items, minItems = 1 } = schema;
  if (!isJsonObject(items ?? null) || depth >= MAX_DEPTH) return [];
  const example = exampleOfSchema(items as JsonObject, schemas, name.replace(/s$/, ''), depth + 1);
  return Array.from({ length: Math.max(1, Number(minItems)) }, () => example);
}

/** Examples by the suffix of a member's name. */
const BY_NAME: readonly [end: RegExp, sample: string][] = [
  [/^trace_id$/, '4bf92f3577b34da6a3ce929d0e0e4736'],
  [/span_id$/, '00f067aa0ba902b7'],
  [/^tenant_id$/, 'ten_01k8me10v4e2r9yx7b5n3q6wta'],
  [/^detection_id$/, 'det_01k8me10v4e2r9yx7b5n3q6wta'],
  [/(_at|until|_from|_to)$/, '2026-01-31T12:00:00.000Z'],
  [/url$/, 'https://example.com/hook'],
  [/unix_nano$/, '1769860800000000000'],
  [/^model$/, 'gpt-4o'],
];

function samplePlain(type: string, schema: JsonObject, name: string): Json {
  if (type === 'boolean') return true;
  if (type === 'integer' || type === 'number') return sampleNumber(schema);
  if (type !== 'string') return null;
  if (schema.format === 'date-time') return '2026-01-31T12:00:00.000Z';
  if (schema.format === 'email') return 'name@example.com';
  const known = BY_NAME.find(([end]) => end.test(name))?.[1];
  return known ?? 'text'.padEnd(Number(schema.minLength ?? 0), '-');
}

function sampleNumber({ minimum, maximum, exclusiveMinimum }: JsonObject): number {
  const [lower, upper] = [Number(minimum ?? exclusiveMinimum ?? 0), Number(maximum ?? Infinity)];
  return Math.min(upper, Math.max(lower, upper <= 1 ? 0.8 : 1));
}
