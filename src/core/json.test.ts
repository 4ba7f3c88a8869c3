import { expect, test } from 'vitest';
import { parseJson } from './json.ts';

const TEXTS = [
  '{}',
  ' \r\n\t{ "a" : [1, -2.5e3, "x", true, false, null] }\n',
  '{\n}',
  '[]',
  '[{"a": 1}]',
  '"text"',
  '-0.5',
  '12',
  'true',
  ' false ',
  'null',
  '{"a": 1e5}',
  '',
  '   ',
  '{',
  '}',
  "{'a': 1}",
  '{a: 1}',
  '{"a": 1} and more',
  'the sum',
  'trueish',
  'nullable',
  '-',
  '1 and 2',
  '"open',
  '[1, 2',
  '\u00a0{}',
  '\ufeff{}',
  '{}\u00a0',
  'NaN',
  '+1',
  '.5',
];

test.each(TEXTS)('parseJson(%j) equals JSON.parse', (text) => {
  let expected: unknown;
  try {
    expected = JSON.parse(text);
  } catch {
    expected = undefined;
  }
  expect(parseJson(text)).toEqual(expected);
});
