import { expect, it } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { toolUses } from './calls.ts';

const LIST =
  'tool list_payments {"status":"failed"} -> [{"id":"py_1","status":"failed","error":"card_declined"},{"id":"py_2","status":"failed","error":"funds"}]';
const RECORD =
  'tool get_payment {"id":"py_1"} -> {"id":"py_1","status":"failed","error":{"code":"card_declined","message":"The card was declined"}}';

const failures = (lines: readonly string[]) =>
  toolUses(parseTrace(['agent analyst', ...lines].join('\n'))).map(({ isError }) => isError);

it('a record that was listed as failed before is data', () => {
  expect(failures([LIST, RECORD])).toEqual([false, false]);
});

it.each<[string, string[], boolean[]]>([
  ['no list', [RECORD], [true]],
  ['a list after it', [RECORD, LIST], [true, false]],
  ['another record', [LIST, RECORD.replaceAll('py_1', 'py_7')], [false, true]],
  ['another status before', [LIST.replaceAll('failed', 'open'), RECORD], [false, true]],
  ['a result without the requested value', [LIST, RECORD.replace('{"id":"py_1","status"', '{"status"')], [false, true]],
])('a failure of the call: %s', (_, lines, expected) => expect(failures(lines)).toEqual(expected));
