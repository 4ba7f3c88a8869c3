import { describe, expect, it } from 'vitest';
import { parseTrace } from '../_testing/notation.ts';
import { addStep, emptyDraft, finishTrace } from '../_testing/trace-draft.ts';
import { STEP_FEATURE_NAMES, stepFeatures } from './step-features.ts';

const RUN = parseTrace(`
task "How many islands does the lake have?"
user "How many islands does the lake have?"
agent Planner
llm m -> "Plan: search the lake, then count its islands."
agent Researcher
llm m -> "I will look it up." calls search {"q":"lake islands"}
tool search {"q":"lake islands"} !! TimeoutError: too slow
llm m -> "Based on my knowledge the lake has 47 islands."
agent Planner
llm m -> "The lake has 47 islands, so the final answer is 47."`);

function read(trace: typeof RUN, row: number): (name: string) => number {
  const { rows } = stepFeatures(trace);
  return (name) => {
    const at = STEP_FEATURE_NAMES.indexOf(name);
    if (at < 0) throw new Error(`no feature ${name}`);
    return rows[row]![at]!;
  };
}

describe('stepFeatures', () => {
  it.each([
    [0, 'isUser', 1],
    [1, 'role.planner', 1],
    [1, 'says.plan', 1],
    [2, 'beforeError', 1],
    [2, 'callCount', 1],
    [3, 'isError', 1],
    [3, 'isTool', 1],
    [4, 'afterError', 1],
    [4, 'says.recall', 1],
    [4, 'freshNumbersInFinal', 1],
    [5, 'freshNumbersInFinal', 0],
    [5, 'says.final', 1],
    [5, 'remaining', 0],
  ])('step %i: %s is %d', (row, name, value) => expect(read(RUN, row)(name)).toBe(value));

  it('counts numbers that later steps use', () => {
    expect(read(RUN, 4)('numbersUsedLater')).toBeGreaterThan(0);
    expect(read(RUN, 5)('numbersUsedLater')).toBe(0);
    expect(read(RUN, 4)('freshNumbers.z')).toBeGreaterThan(1);
  });

  it('has distinct names and finite numbers, and is computed once', () => {
    const features = stepFeatures(RUN);
    expect(new Set(STEP_FEATURE_NAMES).size).toBe(STEP_FEATURE_NAMES.length);
    expect(features.rows.every((row) => row.every(Number.isFinite))).toBe(true);
    expect(stepFeatures(RUN)).toBe(features);
  });

  it('standard scores have mean 0', () => {
    const { rows } = stepFeatures(RUN);
    const at = STEP_FEATURE_NAMES.indexOf('length.z');
    expect(rows.reduce((sum, row) => sum + row[at]!, 0)).toBeCloseTo(0);
  });

  it('omits spans that only group other spans', () => {
    const nested = parseTrace('span top\n  llm m -> "inside"');
    expect(stepFeatures(nested).steps).toEqual([1]);
  });

  it('an empty run has no rows', () => expect(stepFeatures(parseTrace('task "nothing"')).rows).toEqual([]));

  it('reads 100,000 steps in linear time', () => {
    const draft = emptyDraft();
    for (let nth = 0; nth < 100_000; nth += 1)
      addStep(draft, { kind: 'llm', output: `step ${nth} of many, with words` });
    expect(stepFeatures(finishTrace(draft)).rows).toHaveLength(100_000);
  });
});
