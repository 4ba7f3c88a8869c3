import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { unchangedCheck } from './unchanged-check.ts';

const verdictOn = (text: string) => unchangedCheck(parseTrace(text));

const check = (result: string) => `tool check_heating {} -> "${result}"`;
const change = (name: string) => `tool ${name} {"unit":"H4"} -> "done"`;
const SAME = `agent user
${check('Room 4: 12 degrees, burner off')}
${change('restart_burner')}
${check('Room 4: 12 degrees, burner off')}
${change('open_valve')}
${check('Room 4: 12 degrees, burner off')}`;
const END =
  'agent desk\nllm m -> "I hand this over to a colleague." calls transfer_to_human {}\ntool transfer_to_human {} -> "ok"';

it('reports the check and the changes that did not alter its result', () => {
  const verdict = verdictOn(`${SAME}\n${END}`);
  expect(verdict).toMatchObject({ subtype: 'check_unchanged', step: 6, steps: [4, 0, 2, 6], agent: 'desk' });
  expect(verdict!.explanation).toContain('all 3 calls');
  expect(verdict!.explanation).toContain('restart_burner, open_valve');
  expect(verdict!.explanation).toContain('The last of them, open_valve at step 3, answered "done".');
  expect(verdict!.suggestedAction).toContain(
    'a cause that these changes do not reach, first in what step 3 still shows',
  );
});

it('recognises a handoff by another party without its name', () => {
  const end =
    'agent desk\nllm m calls weiterreichen {"grund":"Heizung"}\ntool weiterreichen {"grund":"Heizung"} -> "ok"\nllm m -> "Bitte warten."';
  expect(verdictOn(`${SAME}\n${end}`)).toMatchObject({ subtype: 'check_unchanged', step: 6 });
  expect(verdictOn(`${SAME}\n${end.replace('agent desk', 'agent user')}`)).toBeNull();
  expect(verdictOn(`${SAME}\n${end.replace('"ok"', `"${'Bericht über den Kessel. '.repeat(5)}"`)}`)).toBeNull();
});

it('lists calls that the instructions contain and that were never made', () => {
  const rules = 'system "Use `check_heating()`, then `restart_burner(unit)`. Read `read_oil_gauge()`, too."';
  const verdict = verdictOn(`${rules}\n${SAME}\n${END}`);
  expect(verdict!.suggestedAction).toContain('other calls that this run never made (read_oil_gauge)');
});

it.each([
  ['the last answer differs', SAME.replace(/burner off"$/, 'burner on"')],
  ['two results are too few', SAME.split('\n').slice(0, 4).join('\n')],
  ['nothing was changed between the calls', SAME.replaceAll(/tool (?:restart_burner|open_valve).*\n/g, '')],
  ['the run is not finished', `running\n${SAME}`],
  ['a change follows that was not checked', `${SAME}\n${change('replace_pump')}`],
  [
    'the same data were read again for the next part of the work',
    SAME.replaceAll('Room 4: 12 degrees, burner off', `Room 4: ${'12 degrees, '.repeat(40)}`),
  ],
  [
    'the same tool says with other arguments that it works',
    `${SAME}\ntool check_heating {"room":"all"} -> "all rooms: 20 degrees"`,
  ],
])('is silent: %s', (_, text) => {
  expect(verdictOn(`${text}\n${END}`)).toBeNull();
});

it('reports nothing without a handoff, because the answer may be the desired one', () => {
  expect(verdictOn(SAME)).toBeNull();
});
