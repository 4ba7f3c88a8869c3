import { expect, test } from 'vitest';
import { parseTrace } from '../_kit/notation.ts';
import { polling } from './polling.ts';

test.each([
  ['tool write_stdin {"session_id":7,"chars":""} -> "running"', 1],
  ['tool write_stdin {"session_id":7,"chars":"y\\n"} -> "ok"', 0],
  ['tool wait {"cell_id":"3"} -> "running"', 1],
  ['tool TaskOutput {"task_id":"b1"} -> "running"', 1],
  ['tool Bash {"command":"sleep 30"} -> ""', 1],
  ['tool Bash {"command":"sleep 5 && npm test"} -> ""', 0],
  ['tool Read {"file_path":"a.ts"} -> "x"', 0],
])('%s', (line, count) => {
  expect(polling(parseTrace(`agent dev\n${line}`)).flatMap(({ steps }) => steps)).toHaveLength(count);
});
