import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { namedCalls } from './named-calls.ts';

const RULES = [
  'Start with `read_label()` and `open_door()`.',
  'x '.repeat(400),
  'When the flame goes out, call `clean_burner(part)`: dirt stops the flame.',
].join('\\n');

test('calls named near the words of the check come first', () => {
  const trace = parseTrace(`system "${RULES}"\nagent desk\nllm m -> "Hello."`);
  expect(namedCalls(trace, 'desk', 'has_flame')).toEqual(['clean_burner', 'read_label', 'open_door']);
});

test('empty instructions name no calls', () => {
  expect(namedCalls(parseTrace('agent desk\nllm m -> "Hello."'), 'desk', 'has_flame')).toEqual([]);
});
