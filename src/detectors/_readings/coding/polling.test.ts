import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { polling } from './polling.ts';

test('consecutive polls wait for one thing, and the last poll of a series is not counted', () => {
  const trace = parseTrace(`agent dev
tool wait {"timeout_ms":1000} -> "running"
tool wait {"timeout_ms":1000} -> "running"
tool poll {} -> "done"
tool Read {"file_path":"a.ts"} -> "x"
tool wait {"timeout_ms":5000} -> "done"`);
  expect(polling(trace)).toMatchObject([{ tools: ['wait'], steps: [0, 1], waits: 1, waitMs: 1000 }]);
});
