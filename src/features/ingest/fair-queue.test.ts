import { describe, expect, it } from 'vitest';
import { FairQueue } from './fair-queue.ts';

type Push = [tenantNo: number, name: string, weight: number];

function queueOf(pushes: readonly Push[], quantum = 10): FairQueue<string> {
  const queue = new FairQueue<string>(quantum);
  for (const [at, [tenantNo, name, weight]] of pushes.entries()) queue.push(tenantNo, name, weight, at);
  return queue;
}

function drainQueue(queue: FairQueue<string>): string {
  const taken: string[] = [];
  for (let item = queue.take(); item !== null; item = queue.take()) taken.push(item);
  return taken.join(' ');
}

describe('fair queue', () => {
  it.each<[string, Push[], string]>([
    ['nothing', [], ''],
    [
      'one tenant in order',
      [
        [1, 'a', 1],
        [1, 'b', 50],
        [1, 'c', 1],
      ],
      'a b c',
    ],
    [
      'a quiet tenant after one turn of a flood',
      [
        [1, 'a', 10],
        [1, 'b', 10],
        [1, 'c', 10],
        [2, 'q', 1],
      ],
      'a q b c',
    ],
    [
      'several small items in one turn',
      [
        [1, 'a', 4],
        [1, 'b', 4],
        [1, 'c', 4],
        [2, 'q', 9],
      ],
      'a b q c',
    ],
    [
      'a heavy item waits for its turns, light ones of others pass',
      [
        [1, 'a', 25],
        [2, 'p', 5],
        [2, 'q', 5],
        [2, 'r', 10],
      ],
      'p q r a',
    ],
    [
      'three tenants',
      [
        [1, 'a', 10],
        [1, 'b', 10],
        [2, 'p', 10],
        [2, 'q', 10],
        [3, 'x', 10],
      ],
      'a p x b q',
    ],
  ])('serves %s', (_name, pushes, order) => {
    expect(drainQueue(queueOf(pushes))).toBe(order);
  });

  it('serves only those who may be served, and keeps the others', () => {
    const queue = queueOf([
      [1, 'a', 1],
      [2, 'q', 1],
    ]);
    expect(queue.take((tenantNo) => tenantNo === 2)).toBe('q');
    expect(queue.take((tenantNo) => tenantNo === 2)).toBeNull();
    expect(drainQueue(queue)).toBe('a');
  });

  it('does not grow while it is emptied', () => {
    const queue = new FairQueue<number>(1);
    for (let at = 0; at < 10_000; at += 1) {
      queue.push(1, at, 1, at);
      if (at % 3 !== 0) expect(queue.take()).not.toBeNull();
    }
    expect(queue.weight).toBe(3_334);
    for (let left = 3_334; left > 0; left -= 1) queue.take();
    expect([queue.weight, queue.tenantCount, queue.take()]).toEqual([0, 0, null]);
  });

  it.each<[string, Push[], number, number, number]>([
    ['an empty queue', [], 1, 5, 0],
    [
      'its own',
      [
        [1, 'a', 30],
        [1, 'b', 20],
      ],
      1,
      5,
      50,
    ],
    ['a flood of another: as much as of itself', [[2, 'a', 1_000]], 1, 5, 5],
    [
      'its own and as much of each other',
      [
        [1, 'a', 10],
        [2, 'b', 1_000],
        [3, 'c', 3],
      ],
      1,
      5,
      10 + 15 + 3,
    ],
    [
      'a flood of its own beside a quiet one',
      [
        [2, 'a', 1_000],
        [1, 'b', 1],
      ],
      2,
      5,
      1_001,
    ],
  ])('weight ahead of %s', (_name, pushes, tenantNo, weight, ahead) => {
    expect(queueOf(pushes).weightAhead(tenantNo, weight)).toBe(ahead);
  });

  it('reports the age of the oldest item', () => {
    const queue = queueOf([
      [1, 'a', 1],
      [2, 'b', 1],
    ]);
    expect(queue.oldestAt()).toBe(0);
    queue.take();
    expect(queue.oldestAt()).toBe(1);
    queue.take();
    expect(queue.oldestAt()).toBeNull();
  });
});
