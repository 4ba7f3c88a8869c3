import { expect, it } from 'vitest';
import { TraceBuilder } from '../../../test/support/trace-builder.ts';
import type { Failure } from './failure.ts';
import { schemaPatch } from './schema-patch.ts';

const trace = new TraceBuilder().tool('book', {}, '').build();
const CLOSED = { op: 'add', path: '/additionalProperties', value: false };

it.each<[string, unknown[]]>([
  ["f() got an unexpected keyword argument 'x'", [CLOSED]],
  ["f() missing 1 required positional argument: 'day'", [CLOSED, { op: 'add', path: '/required', value: ['day'] }]],
  ['Missing required property "day"', [CLOSED, { op: 'add', path: '/required', value: ['day'] }]],
  ["'day' is a required property", [CLOSED, { op: 'add', path: '/required', value: ['day'] }]],
])('%s', (message, patch) => {
  const failure = { name: 'book', text: { code: '', message } } as Failure;
  expect(JSON.parse(schemaPatch(trace, failure).after)).toEqual(patch);
});

it('keeps the existing required fields of the schema', () => {
  const parameters = { type: 'object', required: ['seat'] };
  const declared = { ...trace, toolDefinitions: [{ name: 'book', description: '', parameters }] };
  const failure = { name: 'book', text: { code: '', message: "missing required argument 'day'" } } as Failure;
  const change = schemaPatch(declared, failure);
  expect(change.before).toBe(JSON.stringify(parameters));
  expect(JSON.parse(change.after).at(-1)).toEqual({ op: 'add', path: '/required', value: ['seat', 'day'] });
});

it('changes nothing that the schema already has', () => {
  const parameters = { type: 'object', required: ['seat', 'day'], additionalProperties: false };
  const declared = { ...trace, toolDefinitions: [{ name: 'book', description: '', parameters }] };
  const failure = { name: 'book', text: { code: '', message: "missing required argument 'day'" } } as Failure;
  expect(schemaPatch(declared, failure)).toMatchObject({
    format: 'text',
    after: 'check each call of book against this schema before it runs, and name the wrong field in the error',
  });
});
