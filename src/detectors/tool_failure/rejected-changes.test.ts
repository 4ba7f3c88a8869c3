import { expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { rejectedChanges } from './rejected-changes.ts';

const rejectedIn = (text: string) =>
  rejectedChanges(parseTrace(text)).map(({ rejected, accepted }) => ({
    steps: rejected.map(({ step }) => step),
    accepted: accepted?.step ?? null,
  }));

const move = (berth: string, result: string) =>
  `tool move_ship {"ship":"S-18","berth":"${berth}"} -> ${JSON.stringify(result)}`;
const FULL = 'Error: berth B1 is taken until 14:00';
const DEEP = 'Error: berth C2 is too shallow for this ship';

it('finds changes that were rejected repeatedly for different reasons', () => {
  const text = `agent pilot\n${move('B1', FULL)}\n${move('C2', DEEP)}\n${move('D3', 'moved')}`;
  expect(rejectedIn(text)).toEqual([{ steps: [0, 1], accepted: 2 }]);
  expect(rejectedIn(text.split('\n').slice(0, 3).join('\n'))).toEqual([{ steps: [0, 1], accepted: null }]);
});

it.each([
  ['one rejection', `${move('B1', FULL)}\n${move('D3', 'moved')}`],
  ['the same reason twice', `${move('B1', FULL)}\n${move('B1 ', FULL)}`],
  ['the same call again', `${move('B1', FULL)}\n${move('B1', DEEP)}`],
  [
    'a look-up that finds nothing',
    [FULL, DEEP].map((text) => move('B1', text).replace('move_ship', 'find_ship')).join('\n'),
  ],
  ['the service was down', `${move('B1', 'Error: service unavailable')}\n${move('C2', 'Error: request timed out')}`],
  ['two tools', `${move('B1', FULL)}\n${move('C2', DEEP).replace('move_ship', 'book_tug')}`],
  [
    'an agent that edits files',
    `tool edit_file {"path":"a.py","old":"x"} !! text not found\ntool edit_file {"path":"a.py","old":"y"} !! text is there twice`,
  ],
  ['an agent with a shell', `tool bash {"command":"ls"} -> "a"\n${move('B1', FULL)}\n${move('C2', DEEP)}`],
])('is silent: %s', (_, text) => {
  expect(rejectedIn(`agent pilot\n${text}`)).toEqual([]);
});
