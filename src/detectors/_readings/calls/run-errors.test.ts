import { describe, expect, it } from 'vitest';
import { isContextOverflow, isControlFlow, isRefusedWrite, isStepLimit } from './run-errors.ts';

const TESTS = { isContextOverflow, isStepLimit, isRefusedWrite, isControlFlow };

describe('errors that belong to a single detector', () => {
  it.each<[keyof typeof TESTS | null, string, string]>([
    ['isContextOverflow', 'BadRequestError', "This model's maximum context length is 8192 tokens"],
    ['isContextOverflow', 'context_length_exceeded', ''],
    ['isStepLimit', 'GraphRecursionError', ''],
    ['isStepLimit', '', 'Max turns (10) exceeded'],
    ['isStepLimit', 'AgentMaxStepsError', 'Reached max steps.'],
    ['isRefusedWrite', 'InvalidUpdateError', "At key 'total': can receive only one value per step"],
    ['isControlFlow', 'GraphInterrupt', ''],
    ['isControlFlow', '', 'GraphInterrupt((Interrupt(value="approve?"),))'],
    ['isControlFlow', 'langgraph.errors.ParentCommand', ''],
    [null, 'KeyboardInterrupt', ''],
    [null, 'ValueError', 'no handler for GraphInterrupt'],
    [null, 'RateLimitError', 'context_length_exceeded: tokens per min'],
    [null, 'RecursionError', 'maximum recursion depth exceeded'],
    [null, '', 'the maximum steps are given in the manual'],
  ])('%s: %s %s', (expected, type, message) => {
    const matching = Object.entries(TESTS).filter(([, test]) => test({ type, message }));
    expect(matching.map(([name]) => name)).toEqual(expected === null ? [] : [expected]);
  });
});
