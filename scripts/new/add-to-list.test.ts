import { describe, expect, it } from 'vitest';
import { addToList } from './add-to-list.ts';

const REGISTRY = `import type { Detector } from './_kit/define.ts';
import { loop } from './loop/detector.ts';
import { toolFailure } from './tool_failure/detector.ts';
import { subtypeRecord } from './subtype-records.ts';

export const DETECTORS = [
  toolFailure,
  loop,
].map((detector) => register(detector));
`;

describe('a new detector in the list', () => {
  it.each([
    ['before', 'cost', "define.ts';\nimport { own } from './cost/detector.ts';\nimport { loop }"],
    ['between', 'slow_answer', "import { own } from './slow_answer/detector.ts';\nimport { toolFailure }"],
    ['after', 'withholding', "import { own } from './withholding/detector.ts';\nimport { subtypeRecord }"],
  ])('has its import %s the others', (_place, name, text) => {
    expect(addToList(REGISTRY, name, 'own')).toContain(text);
  });

  it('is the last line, and nothing else changes', () => {
    const changed = addToList(REGISTRY, 'slow_answer', 'slowAnswer');
    expect(changed).toContain('  loop,\n  slowAnswer,\n].map(');
    const kept = changed.split('\n').filter((line) => !line.includes('slowAnswer'));
    expect(kept.join('\n')).toBe(REGISTRY);
  });

  it('is rejected for a text without a list', () => {
    expect(() => addToList(REGISTRY.replace('].map(', '];('), 'slow_answer', 'slowAnswer')).toThrow('no list');
    expect(() => addToList('].map(', 'slow_answer', 'slowAnswer')).toThrow('no list');
  });
});
