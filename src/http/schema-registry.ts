import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts';
import { toJsonSchema } from './json-schema.ts';

/**
 * The named shapes of the API description (`.meta({ id })`), each defined once. A shape whose request form differs from its
 * response form has two names: `Rules` for the response and `RulesInput` for the request.
 */
export interface SchemaRegistry {
  /** The schema with named shapes replaced by pointers. @throws Error if two shapes share a name */
  refer(schema: z.ZodType, io: 'input' | 'output'): JsonObject;
  /** The named shapes so far, and the document with its pointers resolved. */
  resolve(document: JsonObject): { document: JsonObject; schemas: Record<string, JsonObject> };
}

export const SCHEMA_PREFIX = '#/components/schemas/';
/** Marks a pointer of a request shape until all shapes are known; no name contains it. */
const SENT = '?input';

export function createSchemaRegistry(): SchemaRegistry {
  const shapes = { input: new Map<string, JsonObject>(), output: new Map<string, JsonObject>() };

  function register(name: string, shape: JsonObject, io: 'input' | 'output'): void {
    const known = shapes[io].get(name);
    if (known !== undefined && !isDeepStrictEqual(known, shape)) throw new Error(`two shapes are named ${name}`);
    shapes[io].set(name, shape);
  }

  return {
    refer(schema, io) {
      const { body, named } = toJsonSchema(schema, io);
      for (const [name, shape] of Object.entries(named)) register(name, shape, io);
      return renamePointers(body, (name) => (io === 'input' ? name + SENT : name));
    },
    resolve(document) {
      const differing = namesThatDiffer(shapes.input, shapes.output);
      const sentName = (name: string) => (differing.has(name) ? `${name}Input` : name);
      const schemas: [string, JsonObject][] = [
        ...[...shapes.input].map(([name, shape]): [string, JsonObject] => [
          sentName(name),
          renamePointers(shape, sentName),
        ]),
        ...shapes.output,
      ];
      assertFree([...differing].map(sentName), schemas);
      const finalName = (name: string) => (name.endsWith(SENT) ? sentName(name.slice(0, -SENT.length)) : name);
      return {
        document: renamePointers(document, finalName),
        schemas: Object.fromEntries(schemas.sort(([one], [other]) => (one < other ? -1 : 1))),
      };
    },
  };
}

/** Names whose two forms differ, possibly only in the shapes they point to. */
function namesThatDiffer(input: Map<string, JsonObject>, output: Map<string, JsonObject>): Set<string> {
  const differing = new Set<string>();
  for (let before = -1; before < differing.size; ) {
    before = differing.size;
    for (const [name, shape] of input) {
      const other = output.get(name);
      if (other === undefined) continue;
      if (!isDeepStrictEqual(shape, other) || namesIn(shape).some((one) => differing.has(one))) differing.add(name);
    }
  }
  return differing;
}

function namesIn(shape: JsonObject): string[] {
  const names: string[] = [];
  renamePointers(shape, (name) => {
    names.push(name);
    return name;
  });
  return names;
}

function assertFree(names: string[], schemas: [string, JsonObject][]): void {
  const conflict = names.find((name) => schemas.filter(([one]) => one === name).length > 1);
  if (conflict !== undefined) throw new Error(`the name ${conflict} is already in use, and a request shape needs it`);
}

/** A copy in which every pointer to a named shape is renamed by `rename`. */
function renamePointers(shape: JsonObject, rename: (name: string) => string): JsonObject {
  return renameAny(shape, rename) as JsonObject;
}

function renameAny(value: Json, rename: (name: string) => string): Json {
  if (Array.isArray(value)) return value.map((item) => renameAny(item, rename));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => {
      const isPointer = key === '$ref' && typeof member === 'string' && member.startsWith(SCHEMA_PREFIX);
      return [key, isPointer ? SCHEMA_PREFIX + rename(member.slice(SCHEMA_PREFIX.length)) : renameAny(member, rename)];
    }),
  );
}
