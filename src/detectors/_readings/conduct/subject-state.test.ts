import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { attemptsIn } from './attempts.ts';
import { lastStateOf, reversalIn, subjectOf } from './subject-state.ts';

const attempts = (...lines: string[]) => attemptsIn(parseTrace(['agent desk', ...lines].join('\n')));

it.each([
  ['check_burner_status', ['burner']],
  ['toggle_night_mode', ['night', 'mode']],
  ['reset', []],
])('%s is about %j', (name, words) => {
  expect(subjectOf(name)).toEqual(words);
});

it('returns the field of the last result that names the subject', () => {
  const found = attempts(
    'tool read_panel {} -> "Night-Mode: on | Pump: on"',
    'tool set_pump {} -> "Pump: off | Night Mode: off"',
    'tool read_gauge {} -> "12 degrees"',
  );
  expect(lastStateOf(found, ['night', 'mode'])).toEqual({ step: 1, text: 'Night Mode: off' });
  expect(lastStateOf(found, ['valve'])).toBeNull();
  expect(lastStateOf(found, [])).toBeNull();
});

it('reports a switch that a later call turned off again', () => {
  const on = 'tool enable_pump {"id":"P4"} -> "Pump enabled"';
  const off = 'tool toggle_pump {} -> "The pump is now OFF."';
  const again = 'tool toggle_pump {} -> "The pump is now ON."';
  expect(reversalIn(attempts(on, off))).toEqual({
    on: { step: 0, text: 'Pump enabled', by: 'enable_pump' },
    off: { step: 1, text: 'The pump is now OFF.', by: 'toggle_pump' },
  });
  expect(reversalIn(attempts(on, off, again))).toBeNull();
  expect(reversalIn(attempts(off, on))).toBeNull();
  expect(reversalIn(attempts(on, 'tool toggle_pump_saver {} -> "Pump saver is off"'))).toBeNull();
  expect(reversalIn(attempts(on, off.replace('pump {', 'valve {')))).toBeNull();
});

it('ignores a switch that only a look-up showed as on', () => {
  const off = 'tool toggle_pump {} -> "The pump is now OFF."';
  expect(reversalIn(attempts('tool read_pump {} -> "Pump: on"', off))).toBeNull();
});

it('reads the member of a JSON result', () => {
  const found = attempts('tool read_panel {} -> {"fan":false,"pump_enabled":true}');
  expect(lastStateOf(found, ['pump'])).toEqual({ step: 0, text: '"pump_enabled":true}' });
});
