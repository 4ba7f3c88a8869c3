import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { corrections } from './corrections.ts';

const START = 'user "Add a discount to the cart."\nagent dev\ntool Edit {"file_path":"/srv/cart.ts"} -> "ok"';
const DONE = 'llm m -> "The discount has been added. All tests pass."';

test.each([
  ['build failing: lint', 'failure_report'],
  ["No, that's wrong: the discount is per item.", 'contradiction'],
  ['Add a discount to the cart.', 'repeat'],
  ['Thanks. Now write the changelog.', null],
  ['The CI pipeline is broken now.', 'failure_report'],
  ['Review comment: tests can panic on agent errors', null],
  ['No problem, go on with the docs.', null],
])('%s', (text, kind) => {
  const trace = parseTrace(`${START}\n${DONE}\nuser ${JSON.stringify(text)}`);
  expect(corrections(trace).map((each) => each.kind)).toEqual(kind === null ? [] : [kind]);
});

test('what the user writes after refusing a call', () => {
  const trace = parseTrace(
    `${START}\ntool Edit {"file_path":"/srv/cart.ts"} refused user -> "x"\nuser "Keep the old API."`,
  );
  expect(corrections(trace).map(({ kind, about }) => [kind, about])).toEqual([['after_stop', 2]]);
});

test('lines that the program writes are not prompts', () => {
  const trace = parseTrace(
    `${START}\n${DONE}\nuser "<local-command-stdout>build failing: lint</local-command-stdout>"`,
  );
  expect(corrections(trace)).toEqual([]);
});

test('continuing after a stop is not a correction', () => {
  const trace = parseTrace(`${START}\ntool Edit {"file_path":"/srv/cart.ts"} refused user -> "x"\nuser "continue"`);
  expect(corrections(trace)).toEqual([]);
});
