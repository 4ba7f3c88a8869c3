import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSchemaRegistry, SCHEMA_PREFIX } from './schema-registry.ts';

const colour = z.enum(['red', 'green']).meta({ id: 'TestColour' });
const rules = z.strictObject({ colour, match: z.enum(['all', 'any']).default('all') }).meta({ id: 'TestRules' });
const group = z.object({ rules: rules.nullable(), shade: colour.describe('of its sign') }).meta({ id: 'TestGroup' });

const pointer = (name: string) => ({ $ref: SCHEMA_PREFIX + name });

function settle(...uses: [z.ZodType, 'input' | 'output'][]) {
  const schemaRegistry = createSchemaRegistry();
  return schemaRegistry.resolve({ uses: uses.map(([schema, io]) => schemaRegistry.refer(schema, io)) });
}

describe('the schema registry', () => {
  it('defines a shape once and refers to it', () => {
    const { document, schemas } = settle([colour, 'output'], [z.object({ colour }), 'output']);
    expect(document.uses).toMatchObject([pointer('TestColour'), { properties: { colour: pointer('TestColour') } }]);
    expect(schemas).toEqual({ TestColour: { type: 'string', enum: ['red', 'green'] } });
  });

  it('keeps members next to a pointer', () => {
    const { schemas } = settle([group, 'output']);
    expect(schemas.TestGroup).toMatchObject({
      properties: { shade: { ...pointer('TestColour'), description: 'of its sign' } },
    });
  });

  it('uses one name for equal request and response shapes', () => {
    const { document, schemas } = settle([colour, 'input'], [colour, 'output']);
    expect(document.uses).toEqual([pointer('TestColour'), pointer('TestColour')]);
    expect(Object.keys(schemas)).toEqual(['TestColour']);
  });

  it('uses two names if a default makes the forms differ, also for shapes that contain it', () => {
    const { document, schemas } = settle([group, 'input'], [group, 'output']);
    expect(document.uses).toEqual([pointer('TestGroupInput'), pointer('TestGroup')]);
    expect(Object.keys(schemas)).toEqual(['TestColour', 'TestGroup', 'TestGroupInput', 'TestRules', 'TestRulesInput']);
    expect(schemas.TestRules?.required).toEqual(['colour', 'match']);
    expect(schemas.TestRulesInput?.required).toEqual(['colour']);
    expect(JSON.stringify(schemas.TestGroupInput)).toContain(`${SCHEMA_PREFIX}TestRulesInput`);
  });

  it('uses the plain name for request-only shapes', () => {
    expect(Object.keys(settle([rules, 'input']).schemas)).toEqual(['TestColour', 'TestRules']);
  });

  it('rejects two shapes with one name', () => {
    const other = z.enum(['blue']).meta({ id: 'TestColour' });
    expect(() => settle([colour, 'output'], [other, 'output'])).toThrow('two shapes are named TestColour');
  });

  it('rejects a name that a request shape needs', () => {
    const conflicting = z.object({ mine: z.string() }).meta({ id: 'TestRulesInput' });
    expect(() => settle([rules, 'input'], [rules, 'output'], [conflicting, 'output'])).toThrow('TestRulesInput');
  });
});
