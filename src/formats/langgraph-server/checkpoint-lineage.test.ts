import { describe, expect, test } from 'vitest';
import type { Checkpoint } from './checkpoint.ts';
import { lineageOf, reportedCheckpoints } from './checkpoint-lineage.ts';

function checkpoint(id: string, parentId: string | null, at: number, more: Partial<Checkpoint> = {}): Checkpoint {
  const run = { threadId: 't', namespace: '', runId: null, graphId: null, pointer: '' };
  const content = { values: null, next: [], tasks: [], step: at, source: 'loop' };
  return { id, parentId, atNs: BigInt(at) * 1_000_000n, ...run, ...content, ...more };
}

const FIRST = [checkpoint('a', null, 1), checkpoint('b', 'a', 2), checkpoint('c', 'b', 3), checkpoint('d', 'c', 9)];
const SECOND = [checkpoint('x', 'a', 5), checkpoint('y', 'x', 6)];
const told = (own: Checkpoint[], all: Checkpoint[]) =>
  reportedCheckpoints(own, lineageOf(all)).map(({ id, is_own }) => `${id}${is_own === false ? ' other' : ''}`);

describe('the checkpoints told with a run are', () => {
  test('its own alone where it began the thread', () => expect(told(FIRST, FIRST)).toEqual(['a', 'b', 'c', 'd']));
  test('with the one it began from', () =>
    expect(told([checkpoint('e', 'd', 10)], [...FIRST, checkpoint('e', 'd', 10)])).toEqual(['d other', 'e']));
  test('with the branch that had followed there before', () =>
    expect(told(SECOND, [...SECOND, ...FIRST])).toEqual(['a other', 'b other', 'c other', 'x', 'y', 'd other']));
  test('without a branch that followed later', () =>
    expect(told(FIRST, [...SECOND, ...FIRST])).toEqual(['a', 'b', 'c', 'd']));
});

test('nodes that answered or failed are read, the entry node is not', () => {
  const task = { id: '1', result: undefined, error: null, isInterrupted: false, innerNamespace: null };
  const tasks = [
    { ...task, name: '__start__', result: {} },
    { ...task, name: 'plan', result: {} },
    { ...task, name: 'check', error: { message: 'no' } },
    { ...task, name: 'wait', isInterrupted: true },
  ];
  const [found] = reportedCheckpoints([checkpoint('a', null, 7, { tasks })], lineageOf([]));
  expect(found).toEqual({ id: 'a', step: 7, source: 'loop', at_ms: 7, done: ['plan'], failed: ['check'] });
});

test('parents in a ring end', () => {
  const ring = [checkpoint('p', 'q', 1), checkpoint('q', 'p', 2), checkpoint('o', 'p', 3)];
  expect(told([ring[2]!], ring)).toEqual(['p other', 'q other', 'o']);
});

test('a thread with many branches is read in part', () => {
  const branches = Array.from({ length: 500 }, (_, at) => checkpoint(`b${at}`, 'a', at + 2));
  expect(told([checkpoint('x', 'a', 900)], [FIRST[0]!, ...branches]).length).toBeLessThan(110);
});
