import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { unnamedFunction, unnamedText } from './unnamed-function.ts';

const run = (code: string, result = 'Some tests failed') =>
  `tool execute_code ${JSON.stringify({ code })} -> ${JSON.stringify(result)}`;
const TIDE = (hour: number) => run(`def tide(hour):\n    return hour + ${hour}`);
const found = (request: string, ...lines: string[]) =>
  unnamedFunction(parseTrace([`user ${JSON.stringify(request)}`, 'agent diver', ...lines].join('\n')));

test('a function whose name only the agent states', () => {
  const unnamed = found('Write a function for the water level.', TIDE(1), TIDE(2));
  expect(unnamed).toEqual({ name: 'tide', runs: 2 });
  expect(unnamedText(unnamed)).toBe(
    ' The code of all 2 runs defines `tide`, a name that neither the task nor a result states.',
  );
});

test.each([
  ['the task names it', 'Write tide(hour).', [TIDE(1), TIDE(2)]],
  ['a result names it', 'Write a function.', [TIDE(1), run('def tide(hour):\n    return 2', 'assert tide(1) == 2')]],
  ['the runs define different functions', 'Write a function.', [TIDE(1), run('def level(hour):\n    return 2')]],
  ['a run defines no function', 'Write a function.', [TIDE(1), TIDE(2), run('print(1)')]],
  ['one run', 'Write a function.', [TIDE(1)]],
])('null: %s', (_, request, lines) => {
  expect(found(request, ...lines)).toBeNull();
});
