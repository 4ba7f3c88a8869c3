import { expect, test } from 'vitest';
import type { Trace } from '../../core/trace.ts';
import { parseTrace } from '../_testing/notation.ts';
import { missingNeed } from './needs.ts';

const END_REJECTED: Partial<Trace> = { rejectedRecords: { count: 2, afterStep: 1, isEndMissing: true } };

test.each<[name: string, trace: Trace, why: string | null]>([
  ['the run ended', parseTrace('tool search {} -> "x"\nllm m -> "done"'), null],
  ['the run continues', parseTrace('running\ntool search {} -> "x"'), 'the trace is still running'],
  [
    'the last answer was not recorded',
    parseTrace('llm m\ntool search {} -> "x"\nllm m'),
    'the last answer of the run was not recorded',
  ],
  [
    'the end was rejected',
    { ...parseTrace('tool search {} -> "x"\nllm m -> "done"'), ...END_REJECTED },
    'some records of the trace were rejected',
  ],
])('why a rule about the end of a run does not apply: %s', (_, trace, why) => {
  expect(missingNeed(['steps', 'settled'], trace)).toBe(why);
});
