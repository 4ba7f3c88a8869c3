import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { interrupts } from './interrupts.ts';

test.each([
  [
    'a step of the decoder',
    'user "Go."\nllm m -> "x"\nspan interruption !! interrupted by the user\nuser "Less."',
    [[2, 'Less.']],
  ],
  [
    'a mark',
    'user "Go."\nllm m -> "x"\nmessage user "[Request interrupted by user]"\nuser "Stop, do less."',
    [[2, 'Stop, do less.']],
  ],
  ['the end of the session', 'session {"endedBy":"interrupted"}\nuser "Go."\nllm m -> "x"', [[1, null]]],
  ['a session that completed', 'session {"endedBy":"completed"}\nuser "Go."\nllm m -> "x"', []],
])('%s', (_, lines, expected) => {
  expect(interrupts(parseTrace(`${lines}`)).map(({ step, next }) => [step, next?.text ?? null])).toEqual(expected);
});
