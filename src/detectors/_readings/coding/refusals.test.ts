import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { refusals } from './refusals.ts';

test.each([
  ['marked', 'tool Edit {"file_path":"a.ts"} refused user "use tabs" !! rejected', ['user', 'use tabs']],
  [
    'by a policy',
    'tool exec {"command":"rm -rf x"} refused policy "not permitted" -> "no"',
    ['policy', 'not permitted'],
  ],
  ['by the words of a failure', 'tool Edit {"file_path":"a.ts"} !! The tool use was rejected by user', ['user', null]],
  ['cancelled with a parallel call', 'tool Edit {"file_path":"a.ts"} refused harness -> "x"', ['harness', null]],
])('%s', (_, line, [by, reason]) => {
  expect(refusals(parseTrace(`agent dev\n${line}`)).map((each) => [each.by, each.reason])).toEqual([[by, reason]]);
});

test('a file about refusals is not a refusal', () => {
  expect(refusals(parseTrace('tool Read {"file_path":"a.md"} flag ok -> "The tool use was rejected by user"'))).toEqual(
    [],
  );
});
