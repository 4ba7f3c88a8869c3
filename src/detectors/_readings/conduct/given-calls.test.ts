import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { droppedCall, droppedText } from './given-calls.ts';

const USER = 'user "Complete it:\\n```python\\nfrom checks import run\\ndef tide(hour):\\n    pass\\nrun(tide)\\n```"';
const run = (code: string, result = 'Some tests failed') =>
  `tool execute_code ${JSON.stringify({ code })} -> ${JSON.stringify(result)}`;
const GIVEN = run('from checks import run\ndef tide(hour):\n    return 1\nrun(tide)');
const OWN = (hour: number) => run(`def tide(hour):\n    return ${hour}\nassert tide(1) == 2`, 'AssertionError');
const traceOf = (...lines: string[]) => parseTrace([USER, 'agent diver', ...lines].join('\n'));

test('the later runs no longer make the call of the user', () => {
  const dropped = droppedCall(traceOf(GIVEN, OWN(1), OWN(2)));
  expect(dropped).toMatchObject({ call: 'run(tide)', last: { step: 1 }, laterRuns: 2 });
  expect(droppedText(dropped)).toBe(
    ' The last run with `run(tide)` from the user\'s script is that of step 1 ("Some tests failed"): the code of 2 later runs does not contain it.',
  );
});

test.each([
  ['one later run', [GIVEN, OWN(1)]],
  ['the last run makes it again', [GIVEN, OWN(1), OWN(2), GIVEN]],
  ['no run made it', [OWN(1), OWN(2)]],
])('nothing was dropped: %s', (_, lines) => {
  expect(droppedCall(traceOf(...lines))).toBeNull();
});
