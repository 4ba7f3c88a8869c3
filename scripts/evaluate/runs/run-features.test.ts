import { expect, test } from 'vitest';
import type { RunFeature } from '../../../src/detectors/_kit/run-feature.ts';
import { parseTrace } from '../../../src/detectors/_testing/notation.ts';
import { createModelCatalog } from '../../../src/formats/model-catalog/catalog.ts';
import { featuresOf } from './run-features.ts';

const models = createModelCatalog();
const edit = 'tool apply_edit {"path":"a.py"} -> "Applied.\\n===== 1 failed, 5 passed in 0.31 seconds ====="';
const message = (name: string, text: string) => `message ${name} ${JSON.stringify(text)}`;
const script = message('coder', '```python\nprint(1 / 0)\n```');
const failed = message('executor', 'exitcode: 1 (execution failed)\nCode output: ZeroDivisionError: division by zero');

test.each<[string, string[], RunFeature, boolean]>([
  ['two commands', Array(2).fill('tool bash {"command":"make"} -> "Error 2"'), 'repeated_checks', true],
  ['one command', ['tool bash {"command":"make"} -> "Error 2"'], 'repeated_checks', false],
  ['two results of an edit with a test run', [edit, edit], 'repeated_checks', true],
  ['two runs by a tool for tests', Array(2).fill('tool run_tests {} -> "1 failed, 5 passed"'), 'repeated_checks', true],
  ['two searches', Array(2).fill('tool search {"q":"fare"} -> "nothing found"'), 'repeated_checks', false],
  ['code that another agent ran three times', Array(3).fill([script, failed]).flat(), 'repeatable_calls', true],
  [
    'two failed calls of a tool that changes records',
    Array(2).fill('tool update_booking {"id":1} !! Error: closed'),
    'failed_changes',
    true,
  ],
  [
    'a failed call and a change',
    ['tool update_booking {"id":1} !! Error: closed', 'tool update_booking {"id":2} -> "done"'],
    'failed_changes',
    false,
  ],
  ['a failed call alone', ['tool read_gauge {} !! no reply'], 'only_failed_calls', true],
  [
    'a failed call and one that worked',
    ['tool read_gauge {} !! no reply', 'tool read_gauge {} -> "3 m"'],
    'only_failed_calls',
    false,
  ],
  [
    'a page of a list',
    ['tool list_fares {"from":0} -> {"fares":[{"id":1},{"id":2}],"next":2}'],
    'partly_read_lists',
    true,
  ],
  [
    'a whole list',
    ['tool list_fares {"from":0} -> {"fares":[{"id":1},{"id":2}],"next":null}'],
    'partly_read_lists',
    false,
  ],
  [
    'a check at 45 percent',
    ['tool status {} -> {"percent":20}', 'tool status {} -> {"percent":45}'],
    'open_statuses',
    true,
  ],
  [
    'a check at 100 percent',
    ['tool status {} -> {"percent":20}', 'tool status {} -> {"percent":100}'],
    'open_statuses',
    false,
  ],
])('%s', (_, lines, feature, isPresent) => {
  const features = featuresOf(parseTrace(['agent dev', ...lines].join('\n')), models);
  expect(features.includes(feature)).toBe(isPresent);
});
