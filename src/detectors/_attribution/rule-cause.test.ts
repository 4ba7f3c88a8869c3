import { expect, test } from 'vitest';
import { parseTrace } from '../_kit/notation.ts';
import { ruleCause } from './rule-cause.ts';

test('names the step that the surest rule calls wrong, in words', () => {
  const trace = parseTrace(
    'agent a\nllm m -> "I look."\ntool search {"q":"x"} -> "HTTP error 503: service unavailable"',
  );
  expect(ruleCause(trace)).toEqual({ step: 1, why: 'what it called reported trouble' });
});

test('says nothing of a run in which no rule sees a fault', () => {
  expect(ruleCause(parseTrace('agent a\nllm m -> "I look."\ntool search {"q":"x"} -> "two results"'))).toBeNull();
});
