import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import type { JsonObject } from '../core/json.ts';
import { pageQuery } from '../features/_kit/page.ts';
import { tenantParams } from '../features/_kit/tenant-params.ts';
import { createSchemaRegistry, type SchemaRegistry } from './schema-registry.ts';

/** The parameters of one location; those that many operations share are pointers to `components.parameters`. */
export function parametersOf(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  schemaRegistry: SchemaRegistry,
): JsonObject[] {
  return inlineParameters(schema, place, schemaRegistry).map(shared);
}

function inlineParameters(
  schema: z.ZodObject | undefined,
  place: 'path' | 'query',
  schemaRegistry: SchemaRegistry,
): JsonObject[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = schemaRegistry.refer(schema, 'input') as {
    properties?: Record<string, JsonObject>;
    required?: string[];
  };
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: place,
    required: place === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }));
}

const IDEMPOTENCY: JsonObject = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description: 'Within 24 hours the same key and body return the first response',
  schema: { type: 'string', maxLength: 255 },
};

/** By name. */
export const SHARED_PARAMETERS: Readonly<Record<string, JsonObject>> = Object.fromEntries(
  [
    ...inlineParameters(tenantParams, 'path', createSchemaRegistry()),
    ...inlineParameters(pageQuery, 'query', createSchemaRegistry()),
    IDEMPOTENCY,
  ].map((parameter) => [parameter.name as string, parameter]),
);

/** A pointer if it equals the shared parameter of its name, otherwise the parameter. */
function shared(parameter: JsonObject): JsonObject {
  const name = parameter.name as string;
  return isDeepStrictEqual(SHARED_PARAMETERS[name], parameter)
    ? { $ref: `#/components/parameters/${name}` }
    : parameter;
}

export const TENANT_ID = shared(SHARED_PARAMETERS.tenant_id!);
export const IDEMPOTENCY_KEY = shared(IDEMPOTENCY);
