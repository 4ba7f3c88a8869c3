import { z } from 'zod';
import type { JsonObject } from '../core/json.ts';
import type { AnyOperation } from '../features/_kit/operation.ts';

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. `io` says whether it is sent or answered. */
export function toJsonSchema(schema: z.ZodType, io: 'input' | 'output'): JsonObject {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', target: 'draft-2020-12' });
  return rest as JsonObject;
}

export function outputSchemaOf(operation: AnyOperation): JsonObject {
  return toJsonSchema(operation.output, 'output');
}
