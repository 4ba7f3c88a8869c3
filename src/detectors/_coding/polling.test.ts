import { expect, test } from 'vitest';
import { toolUses } from '../_kit/calls.ts';
import { parseTrace } from '../_kit/notation.ts';
import { isPoll, polling } from './polling.ts';

test.each([
  ['tool write_stdin {"session_id":7,"chars":""} -> "running"', 1],
  ['tool write_stdin {"session_id":7,"chars":"y\\n"} -> "ok"', 0],
  ['tool wait {"cell_id":"3"} -> "running"', 1],
  ['tool TaskOutput {"task_id":"b1"} -> "running"', 1],
  ['tool Bash {"command":"sleep 30"} -> ""', 1],
  ['tool Bash {"command":"sleep 5 && npm test"} -> ""', 0],
  ['tool Read {"file_path":"a.ts"} -> "x"', 0],
])('%s', (line, count) => {
  expect(toolUses(parseTrace(`agent dev\n${line}`)).filter(isPoll)).toHaveLength(count);
});

test('polls in a row wait for one thing, and the last of a row is not counted', () => {
  const trace = parseTrace(`agent dev
tool wait {"timeout_ms":1000} -> "running"
tool wait {"timeout_ms":1000} -> "running"
tool poll {} -> "done"
tool Read {"file_path":"a.ts"} -> "x"
tool wait {"timeout_ms":5000} -> "done"`);
  expect(polling(trace)).toMatchObject([{ tools: ['wait'], steps: [0, 1], waits: 1, waitMs: 1000 }]);
});
