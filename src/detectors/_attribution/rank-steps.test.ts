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
  it('names a step, its agent and why', () => {
    const found = rankSteps(GROUP)!;
    expect(found).toMatchObject({ agent: 'Pricing_Expert', step: 1 });
    expect(found.why.length).toBeGreaterThan(0);
    expect(found.confidence).toBeGreaterThan(0);
    expect(found.confidence).toBeLessThan(1);
  });

  it('ranks at most three steps by falling share', () => {
    const { top } = rankSteps(GROUP)!;
    expect(top).toHaveLength(3);
    expect(top.map(({ score }) => score)).toEqual(top.map(({ score }) => score).sort((a, b) => b - a));
    expect(top.reduce((sum, { score }) => sum + score, 0)).toBeLessThanOrEqual(1 + 1e-9);
  });

  it('gives an orchestrator by its name alone', () => {
    const draft = emptyDraft();
    addStep(draft, { kind: 'llm', agent: 'Orchestrator (thought)', output: 'The plan is to look it up.' });
    addStep(draft, { kind: 'llm', agent: 'WebSurfer', output: 'I clicked the first link.' });
    const trace = finishTrace(draft);
    expect(rankSteps(trace)!.top.map(({ agent }) => agent)).toContain('Orchestrator');
  });

  it('names no agent where the sender named none', () => {
    expect(rankSteps(parseTrace('llm m -> "the answer is 4"'))).toMatchObject({ agent: null, step: 0 });
  });

  it.each([['task "nothing"'], ['span wrapper']])('is null without a step that speaks: %j', (text) =>
    expect(rankSteps(parseTrace(text))).toBeNull(),
  );

  it('says the same twice', () =>
    expect(rankSteps(parseTrace('llm m -> "x"'))).toEqual(rankSteps(parseTrace('llm m -> "x"'))));
});
