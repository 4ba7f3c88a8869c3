import { describe, expect, test } from 'vitest';
import type { Checkpoint } from './checkpoint.ts';
import { lineageOf, reportedCheckpoints } from './checkpoint-lineage.ts';

function checkpoint(id: string, parentId: string | null, at: number, more: Partial<Checkpoint> = {}): Checkpoint {
  const run = { threadId: 't', namespace: '', runId: null, graphId: null, pointer: '' };
  const content = { values: null, next: [], tasks: [], step: at, source: 'loop', isOfJavaScript: false };
  return { id, parentId, atNs: BigInt(at) * 1_000_000n, ...run, ...content, ...more };
}

const FIRST = [checkpoint('a', null, 1), checkpoint('b', 'a', 2), checkpoint('c', 'b', 3), checkpoint('d', 'c', 9)];
const SECOND = [checkpoint('x', 'a', 5), checkpoint('y', 'x', 6)];
const reportedIds = (own: Checkpoint[], all: Checkpoint[]) =>
  reportedCheckpoints(own, lineageOf(all)).map(({ id, is_own }) => `${id}${is_own === false ? ' other' : ''}`);

describe('the checkpoints of a run are', () => {
  test('only its own if it began the thread', () => expect(reportedIds(FIRST, FIRST)).toEqual(['a', 'b', 'c', 'd']));
  test('its own and the one it started from', () =>
    expect(reportedIds([checkpoint('e', 'd', 10)], [...FIRST, checkpoint('e', 'd', 10)])).toEqual(['d other', 'e']));
  test('its own and the earlier branch from its start', () =>
    expect(reportedIds(SECOND, [...SECOND, ...FIRST])).toEqual(['a other', 'b other', 'c other', 'x', 'y', 'd other']));
  test('without a later branch', () => expect(reportedIds(FIRST, [...SECOND, ...FIRST])).toEqual(['a', 'b', 'c', 'd']));
});

test('nodes that succeeded or failed are read, the entry node is not', () => {
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

test('cyclic parents end', () => {
  const ring = [checkpoint('p', 'q', 1), checkpoint('q', 'p', 2), checkpoint('o', 'p', 3)];
  expect(reportedIds([ring[2]!], ring)).toEqual(['p other', 'q other', 'o']);
});

test('the number of branches of a thread is limited', () => {
  const branches = Array.from({ length: 500 }, (_, at) => checkpoint(`b${at}`, 'a', at + 2));
  expect(reportedIds([checkpoint('x', 'a', 900)], [FIRST[0]!, ...branches]).length).toBeLessThan(110);
});
