import { describe, expect, it } from 'vitest';
import { STEP_FEATURE_NAMES } from './step-features.ts';
import { readStepModels, type StepModelFile, shares } from './step-model.ts';

function modelOf(names: readonly string[]): StepModelFile {
  return {
    linear: { bias: 0, features: Object.fromEntries(names.map((name) => [name, 0])), sparse: '', scale: 0 },
    trees: { features: names, base: 0, trees: [] },
    curve: [
      [0, 0],
      [1, 1],
    ],
    agentBy: 'sum',
  };
}

describe('readStepModels', () => {
  const good = modelOf(STEP_FEATURE_NAMES);
  it('reads a model with the current features', () => {
    expect(readStepModels({ group: good, orchestrated: good, single: good, other: good }).group.agentBy).toBe('sum');
  });
  it('rejects a model with other features', () => {
    expect(() => readStepModels({ group: good, orchestrated: modelOf(['x']), single: good, other: good })).toThrow(
      'fit it again',
    );
  });
});

it('shares sum to one, whatever the size of the scores', () => {
  expect(shares([1000, 1000])).toEqual([0.5, 0.5]);
  expect(shares([])).toEqual([]);
});
