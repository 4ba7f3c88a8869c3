import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { failingCalls } from './failing-calls.ts';

test.each([
  ['tool Bash {"command":"npm run build"} exit 2 -> "x"', 1],
  ['tool Bash {"command":"npm run build"} exit 0 -> "error: 3 warnings"', 0],
  ['tool Bash {"command":"cat a.log | grep ERROR"} exit 1 -> ""', 0],
  ['tool Bash {"command":"grep x missing"} exit 2 -> "No such file"', 1],
  ['tool Edit {"file_path":"a"} refused user -> "x"', 0],
  ['tool search {"q":"x"} flag ok -> {"error":"an article about errors"}', 0],
  ['tool search {"q":"x"} -> {"error":"boom"}', 1],
])('%s', (line, count) => expect(failingCalls(parseTrace(`agent dev\n${line}`))).toHaveLength(count));
