import { expect, test } from 'vitest';
import { derivedId, SPAN_ID_DIGITS, TRACE_ID_DIGITS } from './derived-id.ts';

test('equal parts give equal ids, other parts give other ids', () => {
  expect(derivedId(TRACE_ID_DIGITS, 'x', 1)).toBe(derivedId(TRACE_ID_DIGITS, 'x', 1));
  expect(derivedId(TRACE_ID_DIGITS, 'x', 1)).toMatch(/^[0-9a-f]{32}$/);
  expect(derivedId(SPAN_ID_DIGITS, 'a', 'bc')).not.toBe(derivedId(SPAN_ID_DIGITS, 'ab', 'c'));
});
