import { describe, expect, it, test } from 'vitest';
import { outlineOfSteps } from '../../../test/support/outline-of-steps.ts';
import { agentOf, ancestorsOf, kindOf, modelOf, nameOf, stepsBySpan, toColumns } from './columns.ts';

const chain = outlineOfSteps([
  { name: 'run', kind: 'agent', agent: 'planner', start: 10, duration: 90 },
  { parent: 0, name: 'chat', kind: 'llm', model: 'small', start: 20, duration: 30 },
  { parent: 1, name: 'search', start: 25, duration: null },
  { parent: 0, name: 'search', start: 60, duration: 10 },
]);

describe('toColumns', () => {
  it('links parents, children and siblings', () => {
    const columns = toColumns(chain);
    expect([...columns.parent]).toEqual([-1, 0, 1, 0]);
    expect([...columns.firstChild]).toEqual([1, 2, -1, -1]);
    expect([...columns.nextSibling]).toEqual([-1, 3, -1, -1]);
    expect([...columns.depth]).toEqual([0, 1, 2, 1]);
    expect(ancestorsOf(columns, 2)).toEqual([0, 1]);
  });

  it('resolves names, kinds, agents and models from the dictionaries', () => {
    const columns = toColumns(chain);
    expect([nameOf(columns, 1), kindOf(columns, 1), modelOf(columns, 1)]).toEqual(['chat', 'llm', 'small']);
    expect([agentOf(columns, 0), agentOf(columns, 1)]).toEqual(['planner', null]);
    expect(stepsBySpan(columns).get('span-3')).toBe(3);
  });

  it('makes times relative to the earliest one', () => {
    const columns = toColumns(chain);
    expect([...columns.start]).toEqual([0, 10, 15, 50]);
    expect([...columns.end]).toEqual([90, 40, Number.NaN, 60]);
    expect(columns.lastTime).toBe(90);
    expect(columns.baseUnixUs).toBe(1_700_000_000_000_010);
  });
});

describe('wrong and missing times', () => {
  test.each([
    [
      'a child that starts before its parent',
      [
        { start: 100, duration: 10 },
        { parent: 0, start: 40, duration: 20 },
      ],
      [60, 0],
      [70, 20],
    ],
    ['an end before the start', [{ start: 5, duration: -3 }], [0], [0]],
    ['a step without a time', [{ start: null }, { start: 7, duration: 2 }], [Number.NaN, 0], [Number.NaN, 2]],
    ['equal times', [{ start: 3 }, { start: 3 }, { start: 3 }], [0, 0, 0], [0, 0, 0]],
    ['no times', [{ start: null }], [Number.NaN], [Number.NaN]],
  ])('%s', (_name, steps, starts, ends) => {
    const columns = toColumns(outlineOfSteps(steps));
    expect([...columns.start]).toEqual(starts);
    expect([...columns.end]).toEqual(ends);
  });

  test('a trace without times has no base', () => {
    const columns = toColumns(outlineOfSteps([{ start: null }]));
    expect([columns.baseUnixUs, columns.lastTime]).toEqual([null, 0]);
  });
});

describe('invalid outlines', () => {
  test.each([
    ['a parent before the first step', 5],
    ['a parent after the step, as in a cycle', -1],
  ])('%s makes the step a root', (_name, distance) => {
    const outline = outlineOfSteps([{}, {}]);
    outline.columns.parent[1] = distance;
    const columns = toColumns(outline);
    expect([...columns.parent]).toEqual([-1, -1]);
    expect([columns.firstRoot, columns.nextSibling[0]]).toEqual([0, 1]);
  });

  test('values missing from short columns are unknown', () => {
    const outline = outlineOfSteps([{}, {}, {}]);
    outline.columns = {
      ...outline.columns,
      parent: [],
      name: [0],
      kind: '0',
      start_us: [0],
      duration_us: [],
      tokens: [],
      repeat: [],
    };
    const columns = toColumns(outline);
    expect([...columns.parent]).toEqual([-1, -1, -1]);
    expect([nameOf(columns, 2), columns.start[2]]).toEqual(['', Number.NaN]);
  });
});
