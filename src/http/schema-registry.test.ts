import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSchemaRegistry, SCHEMA_PREFIX } from './schema-registry.ts';

const colour = z.enum(['red', 'green']).meta({ id: 'TestColour' });
const rules = z.strictObject({ colour, match: z.enum(['all', 'any']).default('all') }).meta({ id: 'TestRules' });
const group = z.object({ rules: rules.nullable(), shade: colour.describe('of its sign') }).meta({ id: 'TestGroup' });

const pointer = (name: string) => ({ $ref: SCHEMA_PREFIX + name });

function settle(...uses: [z.ZodType, 'input' | 'output'][]) {
  const book = createSchemaRegistry();
  return book.settle({ uses: uses.map(([schema, io]) => book.refer(schema, io)) });
}

describe('the book of schemas', () => {
  it('writes a shape once and points to it', () => {
    const { document, schemas } = settle([colour, 'output'], [z.object({ colour }), 'output']);
    expect(document.uses).toMatchObject([pointer('TestColour'), { properties: { colour: pointer('TestColour') } }]);
    expect(schemas).toEqual({ TestColour: { type: 'string', enum: ['red', 'green'] } });
  });

  it('keeps what is said beside a pointer', () => {
    const { schemas } = settle([group, 'output']);
    expect(schemas.TestGroup).toMatchObject({
      properties: { shade: { ...pointer('TestColour'), description: 'of its sign' } },
    });
  });

  it('has one name for what is sent and answered alike', () => {
    const { document, schemas } = settle([colour, 'input'], [colour, 'output']);
    expect(document.uses).toEqual([pointer('TestColour'), pointer('TestColour')]);
    expect(Object.keys(schemas)).toEqual(['TestColour']);
  });

  it('has two where a default makes a difference, and for all that holds it', () => {
    const { document, schemas } = settle([group, 'input'], [group, 'output']);
    expect(document.uses).toEqual([pointer('TestGroupInput'), pointer('TestGroup')]);
    expect(Object.keys(schemas)).toEqual(['TestColour', 'TestGroup', 'TestGroupInput', 'TestRules', 'TestRulesInput']);
    expect(schemas.TestRules?.required).toEqual(['colour', 'match']);
    expect(schemas.TestRulesInput?.required).toEqual(['colour']);
    expect(JSON.stringify(schemas.TestGroupInput)).toContain(`${SCHEMA_PREFIX}TestRulesInput`);
  });

  it('has the plain name for what is only sent', () => {
    expect(Object.keys(settle([rules, 'input']).schemas)).toEqual(['TestColour', 'TestRules']);
  });

  it('refuses two shapes of one name', () => {
    const other = z.enum(['blue']).meta({ id: 'TestColour' });
    expect(() => settle([colour, 'output'], [other, 'output'])).toThrow('two shapes are named TestColour');
  });

  it('refuses a name that it needs for what is sent', () => {
    const taken = z.object({ mine: z.string() }).meta({ id: 'TestRulesInput' });
    expect(() => settle([rules, 'input'], [rules, 'output'], [taken, 'output'])).toThrow('TestRulesInput');
  });
});
