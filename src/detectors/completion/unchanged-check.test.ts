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
  expect(verdict!.explanation).toContain('The last of them, open_valve at step 3, returned "done".');
  expect(verdict!.suggestedAction).toContain(
    'a cause that these changes do not reach, first in what step 3 still shows.',
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
  expect(verdict!.suggestedAction).toContain(
    'calls that this run never made: read_oil_gauge, about whose subject no result says anything.',
  );
});

it('quotes what the run already knows about a call that it never made, and omits look-ups of it', () => {
  const rules = 'system "Use `check_heating()`, `toggle_pump()`, `check_pump_status()` and `read_oil_gauge()`."';
  const known = 'tool read_panel {} -> "Fan: on | Pump: standby"';
  const { suggestedAction } = verdictOn(`${rules}\n${SAME.replace('agent user', `agent user\n${known}`)}\n${END}`)!;
  expect(suggestedAction).toContain('toggle_pump (step 1 shows "Pump: standby")');
  expect(suggestedAction).not.toContain('check_pump_status');
});

it('quotes the fields that no change altered', () => {
  const results = SAME.replaceAll('-> "done"', '-> "done | Main valve: closed | 71 %"').replace(
    '"done |',
    '"restarted |',
  );
  const verdict = verdictOn(`${results}\n${END}`)!;
  expect(verdict).toMatchObject({ step: 6, score: 0.66 });
  expect(verdict.explanation).toMatch(/^The results of all changes still show "Main valve: closed"\. check_heating/);
  expect(verdict.suggestedAction).toContain(
    'first in what the results of all of them still show: "Main valve: closed".',
  );
});

it('begins at the first result with a state that all changes still show', () => {
  const seen = 'tool read_panel {} -> "panel | Main valve: closed | 73 %"';
  const results = SAME.replaceAll('-> "done"', '-> "done | Main valve: closed | 71 %"')
    .replace('"done |', '"restarted |')
    .replace('agent user', `agent user\n${seen}`);
  const verdict = verdictOn(`${results}\n${END}`)!;
  expect(verdict).toMatchObject({ step: 0, score: 0.9 });
  expect(verdict.explanation).toMatch(
    /^The results of all changes still show "Main valve: closed" \(first shown at step 0\)\. /,
  );
});

it('names the tool for a field that no change altered', () => {
  const results = SAME.replaceAll('-> "done"', '-> "done | Cellar valve | 71 %"').replace('"done |', '"restarted |');
  const verdict = verdictOn(`system "Tools: restart_burner, toggle_cellar_valve."\n${results}\n${END}`)!;
  expect(verdict.explanation).toMatch(
    /^The results of all changes still show "Cellar valve" \(first shown at step 2\)\. check_heating/,
  );
  expect(verdict.suggestedAction).toBe(
    'Change with toggle_cellar_valve what the results of all changes still show ("Cellar valve"), then run check_heating again. Reject transfer_to_human while check_heating still returns the same.',
  );
});

it('counts every call that can change something', () => {
  const twice = SAME.replace(
    change('open_valve'),
    `${change('open_valve')}\n${change('open_valve').replace('H4', 'H5')}`,
  );
  expect(verdictOn(`${twice}\n${END}`)!.explanation).toContain(
    'made 3 calls that can change something, with 2 tools (restart_burner, open_valve)',
  );
});

it('names a switch that the run turned off again', () => {
  const on = 'tool enable_pump {"unit":"H4"} -> "Pump enabled"';
  const off = 'tool toggle_pump {} -> "The pump is now OFF"';
  const verdict = verdictOn(`${SAME.replace(change('restart_burner'), `${on}\n${off}`)}\n${END}`)!;
  expect(verdict.explanation).toContain(
    'After enable_pump at step 1 ("Pump enabled"), toggle_pump at step 2 returned "The pump is now OFF".',
  );
  expect(verdict.suggestedAction).toContain('Turn on again what toggle_pump turned off at step 2');
});

it('names a change of another record than the one that the user gave', () => {
  const look = (id: string, meter: string) => `tool get_unit {"id":"${id}"} -> {"unit":"${id}","meter":"${meter}"}`;
  const start = `user "My meter 770-4431-02 has no heat."\nagent user\n${look('H-41', '770-4431-01')}\n${look('H-42', '770-4431-02')}`;
  const verdict = verdictOn(`${SAME.replaceAll('H4', 'H-41').replace('agent user', start)}\n${END}`)!;
  expect(verdict.explanation).toContain('changed "H-41", whose meter is not the one that the user gave');
  expect(verdict.suggestedAction).toContain('for the record with meter "770-4431-02"');
  expect(verdict).toMatchObject({ step: 4, score: 0.9 });
});

it('names the look-up of another record than the one that the user gave', () => {
  const start = `user "My meter 770-4431-02 has no heat."
agent user
tool find_owner {"name":"Brek"} -> {"owner":"OW-7","meter":"770-4431-02","units":["U-41","U-42"]}
tool get_unit {"id":"U-41"} -> {"unit":"U-41","meter":"770-4431-01"}`;
  const verdict = verdictOn(`${SAME.replace('agent user', start)}\n${END}`)!;
  expect(verdict.explanation).toContain(
    'Step 2 looked up "U-41", whose meter is not the one that the user gave at step 0 ("770-4431-02"). No call looked up the other id that step 1 lists ("U-42").',
  );
  expect(verdict.suggestedAction).toContain(
    'Repeat the look-up of step 2 for the record with meter "770-4431-02": the id that step 1 lists next to "U-41" and that nothing had looked up is "U-42".',
  );
  expect(verdict).toMatchObject({ step: 2, score: 0.66 });
});

it('names the other record first if the user corrects the key later', () => {
  const look = (id: string, meter: string) => `tool get_unit {"id":"${id}"} -> {"unit":"${id}","meter":"${meter}"}`;
  const start = `user "My meter 770-4431-02 has no heat."\nagent user\n${look('H-41', '770-4431-01')}\n${look('H-42', '770-4431-02')}`;
  const corrected = SAME.replaceAll('H4', 'H-41')
    .replace('agent user', start)
    .replace(/(tool restart_burner.*)/, '$1\nuser "It is meter 770-4431-02, not 770-4431-01."');
  const verdict = verdictOn(`${corrected}\n${END}`)!;
  expect(verdict).toMatchObject({
    step: 4,
    score: 0.9,
    title: 'Handed over after a change of another record than the one that the user gave',
  });
  expect(verdict.explanation).toMatch(
    /^At step 4, restart_burner changed "H-41", whose meter is not the one that the user gave at step 0 \("770-4431-02"\)\. The user gave it again at step 5\. check_heating returned/,
  );
});

it('does not propose to switch what a result shows as on, and lists declared tools that change something', () => {
  const rules =
    'system "Use `check_heating()`, `toggle_pump()`, `toggle_fan()` and `read_oil_gauge()`."\noffers enable_valve {"type":"object"}\noffers get_valve {"type":"object"}';
  const known = 'tool read_panel {} -> "Fan: off | Pump: on"';
  const { suggestedAction } = verdictOn(`${rules}\n${SAME.replace('agent user', `agent user\n${known}`)}\n${END}`)!;
  expect(suggestedAction).toContain('toggle_fan (step 1 shows "Fan: off")');
  expect(suggestedAction).not.toContain('toggle_pump');
  expect(suggestedAction).not.toContain('read_oil_gauge');
  expect(suggestedAction).toContain('Declared tools that were never called: enable_valve.');
});

const PANEL_RULES =
  'system "If `read_panel()` shows \\"Fan is ON\\", have the owner use `toggle_fan()` to turn it OFF. If the house is empty, use `toggle_pump()` to turn the pump ON. If `read_keys()` shows that a key is missing, use `grant_key(door=\\"cellar\\", key=\\"k7\\")` and `grant_key(door=\\"cellar\\", key=\\"k8\\")`."';
const withPanel = (panel: string, keys = 'Key of cellar: k7, k8') =>
  `${PANEL_RULES}\n${SAME.replace('agent user', `agent user\ntool read_panel {} -> "${panel}"\ntool read_keys {} -> "${keys}"`)}\n${END}`;

it('begins with a state that the instructions name a call for', () => {
  const verdict = verdictOn(withPanel('Fan: on | Pump: on'))!;
  expect(verdict.explanation).toMatch(
    /^Step 1 shows "Fan: on", and the run never called toggle_fan, which the instructions of desk name for this\. check_heating returned/,
  );
  expect(verdict.suggestedAction).toBe(
    'Call toggle_fan, then run check_heating again. Reject transfer_to_human while check_heating still returns the same.',
  );
});

it('takes the step that first shows the state as decisive, and quotes it', () => {
  const panel = 'tool read_panel {} -> "Fan: on | Pump: on"';
  const verdict = verdictOn(withPanel('Fan: on | Pump: on').replace('agent user', `agent user\n${panel}`))!;
  expect(verdict.step).toBe(1);
  expect(verdict.explanation).toMatch(/^Step 2 shows "Fan: on" \(since step 1\), and the run never called/);
  expect(verdict.evidence[0]).toEqual({ kind: 'text', step: 1, path: 'tool.result', quote: 'Fan: on | Pump: on' });
  const changed = withPanel('Fan: on | Pump: on').replace(
    'agent user',
    `agent user\n${panel}\n${panel.replace('Fan: on', 'Fan: off')}`,
  );
  expect(verdictOn(changed)).toMatchObject({ step: 3, agent: 'desk' });
});

it('takes the step that first shows a field of the record as decisive', () => {
  const record = withPanel('Fan: off | Pump: on').replace(
    /(agent user\n)([\s\S]*)(tool read_keys.*)/,
    'user "I am tenant 770-4431."\n$1tool get_house {} -> {"tenant":"770-4431","pump_enabled":false}\n$2$3',
  );
  const verdict = verdictOn(record)!;
  expect(verdict.step).toBe(2);
  expect(verdict.evidence[0]).toMatchObject({ step: 2, quote: '"pump_enabled":false}' });
});

it('takes the step that first shows what no change altered as decisive', () => {
  const results = SAME.replaceAll('-> "done"', '-> "done | Cellar valve | 71 %"').replace('"done |', '"restarted |');
  const verdict = verdictOn(`system "Tools: restart_burner, toggle_cellar_valve."\n${results}\n${END}`)!;
  expect(verdict.step).toBe(2);
  expect(verdict.evidence[0]).toEqual({
    kind: 'text',
    step: 2,
    path: 'tool.result',
    quote: 'Cellar valve | 71 %',
  });
});

it('names what a list lacks, and a state under a condition after it', () => {
  const verdict = verdictOn(withPanel('Fan: off | Pump enabled: no', 'Key of cellar: k7'))!;
  expect(verdict.explanation).toMatch(
    /^Step 2 shows "Key of cellar: k7" without "k8", and the run never called grant_key, which the instructions of desk name for this\. Step 1 shows "Pump enabled: no", and the run never called toggle_pump, which the instructions of desk name for this \("If the house is empty"\)\. /,
  );
  expect(verdict.suggestedAction).toMatch(
    /^Call grant_key for "k8", call toggle_pump under the condition of the instructions \("If the house is empty"\), then run check_heating again\. Reject/,
  );
});

it('does not offer a call whose state is as the instructions require', () => {
  const { suggestedAction } = verdictOn(withPanel('Fan: off | Pump: on'))!;
  expect(suggestedAction).not.toMatch(/toggle_fan|toggle_pump|grant_key/);
});

it('says that a call was not repeated if its state came back', () => {
  const back = withPanel('Fan: on | Pump: on').replace(
    'agent user\n',
    'agent user\ntool toggle_fan {} -> "Fan: off"\n',
  );
  expect(verdictOn(back)!.explanation).toMatch(
    /^Step 2 shows "Fan: on", and toggle_fan, which the instructions of desk name for this, was not called again\. /,
  );
});

it('names an argument that no call passed although another one was', () => {
  const granted = withPanel('Fan: off | Pump: on', 'Key of cellar: k6').replace(
    'tool check_heating',
    'tool grant_key {"door":"cellar","key":"k7"} -> "Key of cellar: k7 granted"\ntool check_heating',
  );
  expect(verdictOn(granted)!.explanation).toMatch(
    /^Step 2 shows "Key of cellar: k6" without "k8", and grant_key, which the instructions of desk name for this, was not called for that\. /,
  );
});

it('does not take the field of a record for the switch of a device', () => {
  const record = withPanel('Fan: off | Pump: on').replace(
    /(agent user\n)([\s\S]*)(tool read_keys.*)/,
    'user "I am tenant 770-4431."\n$1tool get_house {} -> {"tenant":"770-4431","pump_enabled":false}\n$2$3',
  );
  const verdict = verdictOn(record)!;
  expect(verdict.explanation).toContain(
    'Step 2 shows "pump_enabled: false" in the record of the user, and no later call changed it.',
  );
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

it('does not take a handoff between agents for a check', () => {
  const round =
    'agent triage\ntool transfer_to_billing {} -> "transferred"\nagent billing\ntool add_note {"n":{n}} -> "saved"\ntool set_flag {"n":{n}} -> "set"\ntool transfer_to_triage {} -> "transferred"';
  const rounds = [1, 2, 3].map((n) => round.replaceAll('{n}', `${n}`)).join('\n');
  expect(verdictOn(`${rounds}\n${END}`)).toBeNull();
  expect(verdictOn(`${rounds}`)).toBeNull();
});
