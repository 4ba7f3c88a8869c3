import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { fieldErrorsOf, toPointer, unknownMembers } from './field-errors.ts';

describe('toPointer', () => {
  it.each([
    [[], ''],
    [['a', 0, 'b'], '/a/0/b'],
    [['m~n', 'a/b'], '/m~0n/a~1b'],
  ])('%j is %j', (path, expected) => {
    expect(toPointer(path)).toBe(expected);
  });
});

const names = Array.from({ length: 3_000 }, (_, at) => `name${at}`);
const unknown = Object.fromEntries(names.map((name) => [name, 1]));

describe('fieldErrorsOf', () => {
  it.each<[string, z.ZodType, unknown, number]>([
    ['one unknown member', z.strictObject({}), { x: 1 }, 1],
    ['thousands of unknown members', z.strictObject({}), unknown, 10],
    ['the same where the schema names what there is', z.strictObject({}, unknownMembers('field', ['a'])), unknown, 10],
    ['thousands of wrong elements', z.array(z.string()), names.map(() => 1), 100],
    ['objects with unknown members', z.array(z.strictObject({})), names.map(() => unknown).slice(0, 20), 100],
  ])('%s', (_name, schema, value, count) => {
    const errors = fieldErrorsOf(schema.safeParse(value).error!);
    expect(errors).toHaveLength(count);
    for (const { message } of errors) expect(message.match(/name\d/g)?.length ?? 0).toBeLessThanOrEqual(10);
  });

  it('names the unknown member itself, shortened', () => {
    const error = z.strictObject({}).safeParse({ ['x'.repeat(10_000)]: 1, y: 1 }).error!;
    expect(fieldErrorsOf(error)).toEqual([
      { pointer: `/${'x'.repeat(298)}…`, message: `Unrecognized key: "${'x'.repeat(59)}…"` },
      { pointer: '/y', message: 'Unrecognized key: "y"' },
    ]);
  });
});
