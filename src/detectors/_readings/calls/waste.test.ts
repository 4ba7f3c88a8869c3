import { expect, test } from 'vitest';
import { parseTrace } from '../../_testing/notation.ts';
import { NO_MODELS } from '../../_testing/tester.ts';
import { wasteOf } from './waste.ts';

const TRACE = parseTrace(`
agent dev
llm m 900/100 cost 0.4
tool Read {"path":"a"} -> "1"
tool Read {"path":"b"} -> "2"
tool Read {"path":"c"} -> "3"
tool Read {"path":"d"} -> "4"
llm m 1900/100 cost 0.8
tool Read {"path":"a"} -> "1"`);

test.each([
  ['one of four tools of a model call', [4], 250, 0.1],
  ['all tools of a model call', [1, 2, 3, 4], 1000, 0.4],
  ['the only tool of a model call', [6], 2000, 0.8],
  ['a model call and its tools', [0, 1, 2], 1000, 0.4],
  ['tools of two model calls', [1, 6], 2250, 0.9],
])('%s', (_, steps, wastedTokens, wastedCostUsd) => {
  expect(wasteOf(TRACE, steps, NO_MODELS)).toEqual({ wastedTokens, wastedCostUsd });
});
