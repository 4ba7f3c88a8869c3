import { expect, test } from 'vitest';
import type { Json } from '../../core/json.ts';
import { schemaViolations } from './json-schema.ts';

const SCHEMA: Json = {
  type: 'object',
  properties: {
    day: { type: 'string', enum: ['mon', 'tue'] },
    seats: { type: 'integer' },
    tags: { type: 'array', items: { type: 'string' } },
    note: { anyOf: [{ type: 'string' }, { type: 'null' }] },
  },
  required: ['day'],
  additionalProperties: false,
};

test.each<[Json, string]>([
  [{ day: 'mon', seats: 2, tags: ['a'] }, ''],
  [{ day: 'mon', note: 7 }, ''],
  [{ seats: 2 }, 'day is missing'],
  [{ day: 'sun' }, 'day is "sun", not one of ["mon","tue"]'],
  [{ day: 'mon', seats: 'many' }, 'seats is string, not integer'],
  [{ day: 'mon', seats: '2' }, 'seats is string, not integer (harmless)'],
  [{ day: 'mon', places: 2 }, 'places is not known to the tool (harmless)'],
  [{ day: 'mon', tags: ['a', { b: 1 }] }, 'tags[1] is object, not string'],
  ['mon', ' is string, not object'],
])('%j: %s', (value, expected) => {
  const result = schemaViolations(value, SCHEMA).map(
    ({ path, what, isHarmless }) => `${path} ${what}${isHarmless ? ' (harmless)' : ''}`,
  );
  expect(result.join('; ')).toBe(expected);
});

test('ignores values that are not schemas', () => {
  expect([
    schemaViolations(1, null),
    schemaViolations(1, { $ref: '#/x' }),
    schemaViolations(1, { type: 'money' }),
  ]).toEqual([[], [], []]);
});
