import { expect, it } from 'vitest';
import type { Json } from '../../core/json.ts';
import type { Fault, StateSubtype } from './fault.ts';
import { stateFixes } from './state-fix.ts';

it.each<[StateSubtype, string, Json, Json, string]>([
  ['type_change', 'total', 44.2, '39.78 EUR', '`total` is a number'],
  ['field_vanished', 'address', '12 Quay Street', null, '`address` exists and is a string'],
  ['field_nulled', 'customer', { name: 'Ada' }, null, '`customer` exists and is an object'],
  ['counter_regression', 'step', 4, 1, '`step` is an integer of at least 0'],
  ['bounds', 'confidence', 0.7, 1.7, '`confidence` is a number from 0 to 1'],
  ['bounds', 'price', 3, -3, '`price` is a number of at least 0'],
  ['list_shrunk', 'messages', ['a', 'b'], ['b'], '`messages` is a list'],
])('the schema for %s of %s says what it requires', (subtype, path, before, after, rule) => {
  const to = { snapshot: { node: 'shipping', agent: null } };
  const [fix] = stateFixes({ subtype, path, before, after, to, what: 'was lost' } as unknown as Fault, 'langgraph');
  expect(fix?.description).toBe(
    `Validate after shipping that ${rule}, so that a wrong write is rejected where it happens.`,
  );
});
