import { z } from 'zod';
import type { JsonObject } from '../core/json.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. `io` says whether it is sent or answered. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    target: 'draft-2020-12',
    override: ({ jsonSchema }) => dropNoise(jsonSchema),
  });
  return rest as JsonObject;
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
