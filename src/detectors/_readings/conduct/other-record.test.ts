import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { otherRead, otherRecords, rightRecordText } from './other-record.ts';

const foundIn = (text: string) =>
  otherRecords(parseTrace(text)).map(({ use, id, field, given, changedKey }) => ({
    step: use.step,
    id,
    field,
    given,
    changedKey,
  }));

const OWNER = 'tool find_owner {"q":"Okafor"} -> {"owner":"OW-7","meter":"770-4431-02","sites":["ST-21","ST-22"]}';
const site = (id: string, meter: string) =>
  `tool get_site {"id":"${id}"} -> {"site":"${id}","meter":"${meter}","state":"off"}`;
const CHANGE = 'tool activate_site {"owner":"OW-7","site":"ST-21"} -> "activated"';
const start = (value: string) => `user "${value}"\nagent clerk\n${OWNER}`;
const REQUEST = start('My meter 770-4431-02 has no power.');

it('reports the changed record and the one that the user named', () => {
  expect(foundIn(`${REQUEST}\n${site('ST-21', '770-4431-01')}\n${CHANGE}`)).toEqual([
    { step: 3, id: 'ST-21', field: 'meter', given: '770-4431-02', changedKey: '770-4431-01' },
  ]);
});

it.each([
  ['the record has the key that the user gave', `${REQUEST}\n${site('ST-21', '770-4431-02')}\n${CHANGE}`],
  [
    'the user gave the other key too',
    `${start('Not 770-4431-02, please start 770-4431-01.')}\n${site('ST-21', '770-4431-01')}\n${CHANGE}`,
  ],
  [
    'the user gave the id',
    `${start('My meter 770-4431-02 is fine, start ST-21.')}\n${site('ST-21', '770-4431-01')}\n${CHANGE}`,
  ],
  [
    'the record was only read, by a tool whose name does not say so',
    `${REQUEST}\n${site('ST-21', '770-4431-01')}\n${site('ST-22', '770-4431-02').replace('get_site', 'zupan')}\n${site('ST-21', '770-4431-01').replace('get_site', 'zupan')}`,
  ],
  ['the record was only read', `${REQUEST}\n${site('ST-21', '770-4431-01')}\n${site('ST-22', '770-4431-02')}`],
  [
    'no record has the key of the user',
    `${REQUEST.replace('"meter":"770-4431-02",', '')}\n${site('ST-21', '770-4431-01')}\n${CHANGE}`,
  ],
  [
    'the change was rejected',
    `${REQUEST}\n${site('ST-21', '770-4431-01')}\n${CHANGE.replace('-> "activated"', '!! locked')}`,
  ],
  [
    'the user gave a name that only the changed record has',
    `${start('My meter 770-4431-02 is fine; the flat of my daughter Mia has no power.')}\n${site('ST-22', '770-4431-02')}\n${site('ST-21', '770-4431-01').replace('"off"', '"off","user":"Mia"')}\n${CHANGE}`,
  ],
  [
    'the user gave a first name, and another address in the same street',
    `${start('My meter 770-4431-02 is fine; the one of Omar in Seestrasse 4 has no power.')}\n${site('ST-22', '770-4431-02').replace('"off"', '"off","place":"Seestrasse 41"')}\n${site('ST-21', '770-4431-01').replace('"off"', '"off","user":"Omar Haddad"')}\n${CHANGE}`,
  ],
  [
    'the same in another script',
    `${start('私の番号は770-4431-02です。娘の美咲の部屋に電気がありません。')}\n${site('ST-21', '770-4431-01').replace('"off"', '"off","user":"美咲"')}\n${CHANGE}`,
  ],
  ['dates are not keys', `${start('Since 2026-03-02 it is dark.')}\n${site('ST-21', '2026-03-01')}\n${CHANGE}`],
])('is silent: %s', (_, text) => {
  expect(foundIn(text)).toEqual([]);
});

it('reports a record with a name that the user did not write, or that both records have', () => {
  const named = (one: string, other: string, message: string) =>
    foundIn(
      `${start(message)}\n${site('ST-22', '770-4431-02').replace('"off"', `"off","user":"${one}"`)}\n${site('ST-21', '770-4431-01').replace('"off"', `"off","user":"${other}"`)}\n${CHANGE}`,
    );
  const message = 'I am Ada. My meter 770-4431-02 has no power.';
  expect(named('Ada', 'Mia', message)).toHaveLength(1);
  expect(named('Ada', 'Ada', message)).toHaveLength(1);
  expect(named('Ada', 'Adam', 'Adamson here. My meter 770-4431-02 has no power.')).toHaveLength(1);
});

it('says whether the user names one of the records after the change', () => {
  const run = `${REQUEST}\n${site('ST-21', '770-4431-01')}\n${CHANGE}`;
  const named = (text: string) => otherRecords(parseTrace(text)).map(({ isNamedLater }) => isNamedLater);
  expect(named(run)).toEqual([false]);
  expect(named(`${run}\nuser "My meter is 770-4431-02, not 770-4431-01."`)).toEqual([true]);
});

const READ = `user "My meter 770-4431-02 has no power."\nagent clerk\n${OWNER}\n${site('ST-21', '770-4431-01')}`;

it('reports the only read record if its key is not the one that the user gave', () => {
  const read = otherRead(parseTrace(READ))!;
  expect(read).toMatchObject({ id: 'ST-21', field: 'meter', given: '770-4431-02', use: { step: 2 }, matchAt: 1 });
  expect(rightRecordText(read)).toBe(
    'for the record with meter "770-4431-02": the id that step 1 lists next to "ST-21" and that nothing had looked up is "ST-22"',
  );
});

it.each([
  ['the record with the key is read later', `${READ}\n${site('ST-22', '770-4431-02')}`],
  ['the record has the key of the user', READ.replaceAll('4431-01', '4431-02')],
  ['the user gave no key', READ.replace('My meter 770-4431-02', 'My meter')],
  ['the record was changed', `${READ}\n${CHANGE}`],
])('reports no look-up: %s', (_, text) => {
  expect(otherRead(parseTrace(text))).toBeNull();
});
