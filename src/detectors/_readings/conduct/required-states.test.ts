import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { attemptsIn } from './attempts.ts';
import { requiredStates } from './required-states.ts';

const statesIn = (rules: string, ...lines: string[]) => {
  const trace = parseTrace([`system ${JSON.stringify(rules)}`, 'agent desk', 'llm m -> "Hello."', ...lines].join('\n'));
  const { open, settled } = requiredStates(trace, 'desk', 'has_flame', attemptsIn(trace));
  return { open: open.map(({ call, state, missing }) => [call, state.text, ...missing]), settled: [...settled] };
};

it.each([
  ['a switch in the other state', '`toggle_fan()` turns it OFF.', 'Fan: on', [['toggle_fan', 'Fan: on']]],
  ['a switch in the required state', '`toggle_fan()` turns it OFF.', 'Fan: off', []],
  ['a name with the state', 'Use `disconnect_gas()`.', 'Gas connected', [['disconnect_gas', 'Gas connected']]],
  ['no required state', 'Use `toggle_fan()` to turn it ON or OFF as needed.', 'Fan: on', []],
  [
    'the state of a longer subject',
    '`toggle_fan()` turns it OFF. `toggle_fan_lamp()` turns it ON.',
    'Fan lamp: on',
    [],
  ],
  ['a value that is set', '`set_heat_level(level: str)` with "low_2".', 'Heat level: low_2', []],
  [
    'arguments that the list lacks',
    '`add_key(door="cellar", key="k8")`',
    'Key of cellar: k7',
    [['add_key', 'Key of cellar: k7', 'k8']],
  ],
])('%s', (_, rules, shown, open) => {
  expect(statesIn(rules, `tool read_panel {} -> "${shown}"`).open).toEqual(open);
});

it('names the calls whose state is as required', () => {
  const rules = '`toggle_fan()` turns it OFF. `add_key(door="cellar", key="k7")`';
  expect(statesIn(rules, 'tool read_panel {} -> "Fan: off | Key of cellar: k7"').settled).toEqual([
    'toggle_fan',
    'add_key',
  ]);
});

it('ignores a state before the last call', () => {
  const rules = '`toggle_fan()` turns it OFF.';
  expect(statesIn(rules, 'tool read_panel {} -> "Fan: on"', 'tool toggle_fan {} -> "done"').open).toEqual([]);
});
