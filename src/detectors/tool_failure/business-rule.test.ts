import { expect, it } from 'vitest';
import { runDetectors } from '../_runner/run.ts';
import { ALL_DETECTORS } from '../_testing/all-detectors.ts';
import { parseTrace } from '../_testing/notation.ts';

function failuresIn(call: string, message: string, times = 3): string[] {
  const lines = Array.from({ length: times }, () => `tool ${call} !! ${message}`);
  const trace = parseTrace(
    `user "Please change it."\nagent clerk\n${lines.join('\n')}\nllm m -> "Hello, how are you today?"`,
  );
  return runDetectors(trace, ALL_DETECTORS)
    .detections.filter(({ type, severity }) => type === 'tool_failure' && severity !== 'observation')
    .map(({ subtype }) => subtype);
}

it.each([
  ['exchange_items {"order_id":"W-49","item":"417"}', 'non-delivered order cannot be exchanged'],
  ['exchange_items {"order_id":"W-49","item":"417"}', 'Error: non-delivered order cannot be exchanged'],
  ['update_booking {"flight":"HA30","payment":"gift_card_7"}', 'gift card balance is not enough'],
  ['update_booking {"flight":"HA30","date":"2024-05-13"}', 'flight HA30 not available on date 2024-05-13'],
  ['refund {"order":"W1"}', 'only delivered orders can be returned'],
  ['storniere {"bestellung":"W1"}', 'Die Bestellung darf nicht storniert werden'],
])('%s with "%s" is no failure of the tool', (call, message) => {
  for (const times of [1, 3]) expect(failuresIn(call, message, times)).toEqual([]);
});

it.each([
  ['weigh {"crate":4}', 'weighing cell 4 is loose'],
  ['refund {"order":"W1"}', 'the ledger cannot be reached'],
  ['refund {"order":"W1"}', 'order_lock(W1) cannot be acquired'],
  ['refund {"order":"W1"}', 'could not connect to the order server: connection refused'],
])('%s with "%s" is a failure', (call, message) => {
  expect(failuresIn(call, message, 1)).not.toEqual([]);
});
