import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../core/json.ts';
import { docOf, memberOf, typeOfSchema } from './type-of-schema.ts';

const text: JsonObject = { type: 'string' };

describe('the type of a schema', () => {
  it.each<[string, JsonObject, string]>([
    ['a pointer', { $ref: '#/components/schemas/Trace', description: 'x' }, 'Trace'],
    ['a constant', { type: 'string', const: 'Bearer' }, '"Bearer"'],
    ['an enum', { type: 'string', enum: ['a', 'b'] }, '"a" | "b"'],
    ['null next to another', { type: ['string', 'null'] }, 'string | null'],
    ['either', { anyOf: [{ $ref: '#/components/schemas/A' }, { type: 'null' }] }, 'A | null'],
    ['the same twice', { oneOf: [{ type: 'integer' }, { type: 'number' }] }, 'number'],
    ['a list', { type: 'array', items: text }, 'string[]'],
    ['a list of alternatives', { type: 'array', items: { type: ['string', 'null'] } }, 'Array<string | null>'],
    ['a list of anything', { type: 'array' }, 'unknown[]'],
    ['a tuple', { type: 'array', prefixItems: [text, { type: 'number' }] }, '[string, number]'],
    ['a map', { type: 'object', additionalProperties: text }, 'Record<string, string>'],
    [
      'a map with known names',
      { type: 'object', propertyNames: { enum: ['a', 'b'] }, additionalProperties: text },
      'Partial<Record<"a" | "b", string>>',
    ],
    ['an empty object', { type: 'object', properties: {}, additionalProperties: false }, 'Record<string, never>'],
    ['any object', { type: 'object' }, 'Record<string, unknown>'],
    ['a file', { type: 'string', format: 'binary' }, 'Blob'],
    ['anything', {}, 'unknown'],
    [
      'an object',
      { type: 'object', required: ['a'], properties: { a: text, 'b-c': { type: 'boolean', description: 'why' } } },
      '{\n  a: string;\n  /** why */\n  "b-c"?: boolean;\n}',
    ],
    [
      'an open object',
      { type: 'object', properties: { a: text }, additionalProperties: {} },
      '{\n  a?: string;\n  [name: string]: unknown;\n}',
    ],
  ])('%s', (_name, schema, expected) => expect(typeOfSchema(schema)).toBe(expected));

  it('indents its members', () => {
    const inner: JsonObject = { type: 'object', properties: { b: text } };
    expect(memberOf('a', inner, true, '  ')).toBe('  a: {\n    b?: string;\n  };');
  });

  it('does not end a comment early', () => {
    expect(docOf('ends */ here\nand goes on', '')).toBe('/** ends *\\/ here and goes on */\n');
  });
});
