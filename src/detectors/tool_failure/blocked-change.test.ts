import { expect, test } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { blockedChanges } from './blocked-change.ts';

const OPEN = 'tool get_order {"order":"W-4471"} -> {"order":"W-4471","status":"open","city":"Bonn"}';
const SWAP =
  'tool swap_item {"order":"W-4471","item":"blue kettle"} -> {"order":"W-4471","status":"open (changed)","city":"Bonn"}';
const MOVE = 'tool move_order {"order":"W-4471","city":"Kiel"} -> "Error: only open orders can be moved"';

function blocked(...lines: string[]) {
  return blockedChanges(parseTrace(['agent clerk', ...lines, 'llm gpt-4o -> "That is all."'].join('\n')));
}

test('the status that the own change set excludes the next change', () => {
  const found = blocked(OPEN, SWAP, MOVE);
  expect(found).toMatchObject([
    { id: 'W-4471', field: 'status', before: { value: 'open', step: 0 }, after: 'open (changed)' },
  ]);
  expect(found.map(({ cause, rejected }) => [cause.step, rejected.step])).toEqual([[1, 2]]);
});

test('the records are inside the results, and both calls are of one tool', () => {
  const list = 'tool list_orders {"mine":true} -> {"orders":[{"order":"W-1"},{"order":"W-4471","status":"open"}]}';
  const swapAgain = 'tool swap_item {"order":"W-4471","item":"red cup"} -> "Error: the order was changed before"';
  expect(blocked(list, SWAP.replace('-> {', '-> {"result":{').concat('}'), swapAgain)).toMatchObject([
    { field: 'status', before: { value: 'open', step: 0 } },
  ]);
});

const silent: Record<string, string[]> = {
  'the run did not change the record': [OPEN, MOVE],
  'another record was changed': [OPEN, SWAP.replaceAll('W-4471', 'W-4472'), MOVE],
  'the change left every field as it was': [OPEN, SWAP.replace('open (changed)', 'open'), MOVE],
  'the state before is not known': [SWAP, MOVE],
  'the field is what the call asked for': [
    OPEN,
    'tool set_status {"order":"W-4471","status":"closed"} -> {"order":"W-4471","status":"closed"}',
    MOVE,
  ],
  'only a time differs': [
    'tool get_order {"order":"W-4471"} -> {"order":"W-4471","changed":"2026-05-01T10:00Z"}',
    'tool swap_item {"order":"W-4471"} -> {"order":"W-4471","changed":"2026-05-02T11:00Z"}',
    MOVE,
  ],
  'the call was rejected before the change as well': [OPEN, MOVE, SWAP, MOVE],
  'the call was accepted later': [OPEN, SWAP, MOVE, 'tool move_order {"order":"W-4471","city":"Bonn"} -> "moved"'],
  'the arguments were rejected': [
    OPEN,
    SWAP,
    'tool move_order {"order":"W-4471","town":"Kiel"} !! TypeError: move_order() got an unexpected keyword argument \'town\'',
  ],
  'the service was down': [OPEN, SWAP, 'tool move_order {"order":"W-4471","city":"Kiel"} !! 503 Service Unavailable'],
  'a look-up failed': [OPEN, SWAP, 'tool get_parcel {"order":"W-4471"} -> "Error: no parcel was sent"'],
  'records of the run were rejected': [OPEN, SWAP, MOVE, 'rejected {"count":1,"afterStep":2,"isEndMissing":false}'],
};

test.each(Object.entries(silent))('silent: %s', (_name, lines) => {
  expect(blocked(...lines)).toEqual([]);
});
