import { expect, test } from 'vitest';
import { evidenceLabel, evidenceText } from './evidence-text.ts';

test.each([
  ['a quote', { quote: '{"q":1}', value: 2 }, '{"q":1}'],
  ['a text as value', { quote: null, value: 'equal to step 2' }, 'equal to step 2'],
  ['another value', { quote: null, value: { rounds: 14 } }, '{"rounds":14}'],
  ['neither', { quote: null, value: null }, ''],
])('%s', (_case, evidence, expected) => expect(evidenceText(evidence)).toBe(expected));

test('the label is the path, otherwise the kind', () => {
  expect(evidenceLabel({ path: 'tool.arguments', kind: 'repeated_call' })).toBe('tool.arguments');
  expect(evidenceLabel({ path: null, kind: 'node_cycle' })).toBe('node cycle');
});
