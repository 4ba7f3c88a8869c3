import { describe, expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { rankSteps } from './rank-steps.ts';

const GROUP = parseTrace(`
task "What did the museum pay for the vase?"
agent Museum_Expert
llm m -> "Task: find out what the museum paid for the vase. Plan: 1. find the sale 2. read the price"
agent Pricing_Expert
llm m -> "Let us assume the vase was sold for 4,200 in 1931, as such vases typically were. The museum paid 4,200."
agent Verification_Expert
llm m -> "I confirm the price of 4,200. The final answer is 4,200. TERMINATE"`);

describe('rankSteps', () => {
  it('returns a step, its agent and the reasons', () => {
    const found = rankSteps(GROUP)!;
    expect(found).toMatchObject({ agent: 'Pricing_Expert', step: 1 });
    expect(found.why.length).toBeGreaterThan(0);
    expect(found.confidence).toBeGreaterThan(0);
    expect(found.confidence).toBeLessThan(1);
  });

  it('returns at most three steps in descending order of share', () => {
    const { top } = rankSteps(GROUP)!;
    expect(top).toHaveLength(3);
    expect(top.map(({ score }) => score)).toEqual(top.map(({ score }) => score).sort((a, b) => b - a));
    expect(top.reduce((sum, { score }) => sum + score, 0)).toBeLessThanOrEqual(1 + 1e-9);
  });

  it('removes the suffix from the name of an orchestrator', () => {
    const draft = emptyDraft();
    addStep(draft, { kind: 'llm', agent: 'Orchestrator (thought)', output: 'The plan is to look it up.' });
    addStep(draft, { kind: 'llm', agent: 'WebSurfer', output: 'I clicked the first link.' });
    const trace = finishTrace(draft);
    expect(rankSteps(trace)!.top.map(({ agent }) => agent)).toContain('Orchestrator');
  });

  it('the agent is null if the trace has none', () => {
    expect(rankSteps(parseTrace('llm m -> "the answer is 4"'))).toMatchObject({ agent: null, step: 0 });
  });

  it.each([['task "nothing"'], ['span wrapper']])('is null without a step that has text: %j', (text) =>
    expect(rankSteps(parseTrace(text))).toBeNull(),
  );

  it('returns the same result twice', () =>
    expect(rankSteps(parseTrace('llm m -> "x"'))).toEqual(rankSteps(parseTrace('llm m -> "x"'))));
});
