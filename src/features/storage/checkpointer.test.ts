import { describe, expect, it } from 'vitest';
import type { LogStep } from '../../store/sqlite-log.ts';
import { Checkpointer } from './checkpointer.ts';

/** @param pages `[written, waiting]` after each step in turn; the last one again and again */
function keeper(...pages: [number, number][]) {
  let isHeld = false;
  const steps: string[] = [];
  const one = new Checkpointer({
    async runStep(step: LogStep) {
      const [writtenPages, waitingPages] = pages[Math.min(steps.length, pages.length - 1)]!;
      steps.push(isHeld ? `${step}, held` : step);
      await Promise.resolve();
      return { writtenPages, waitingPages, isDone: step !== 'advance' };
    },
    async hold(work) {
      isHeld = true;
      return work().finally(() => {
        isHeld = false;
      });
    },
  });
  return { one, steps };
}

describe('the log is checkpointed', () => {
  it.each([
    ['while commits go on, and only the rest while they wait', [[300, 10]], ['advance', 'restart, held']],
    [
      'again where much was committed meanwhile',
      [
        [300, 200],
        [500, 100],
        [600, 3],
      ],
      ['advance', 'advance', 'advance', 'restart, held'],
    ],
    [
      'after four steps also beside writers that are as fast as the disk',
      [
        [300, 200],
        [500, 200],
        [700, 200],
        [900, 200],
      ],
      ['advance', 'advance', 'advance', 'advance', 'restart, held'],
    ],
  ] as [string, [number, number][], string[]][])('%s', async (_, pages, expected) => {
    const { one, steps } = keeper(...pages);
    expect(await one.checkpoint(false)).toBe(true);
    expect(steps).toEqual(expected);
  });

  it.each([
    [
      'behind a reader',
      [
        [100, 300],
        [100, 350],
      ],
      ['advance', 'advance'],
    ],
    ['beside another process that does it', [[0, Number.POSITIVE_INFINITY]], ['advance']],
  ] as [string, [number, number][], string[]][])('in part %s, and no commit waits', async (_, pages, expected) => {
    const { one, steps } = keeper(...pages);
    expect(await one.checkpoint(true)).toBe(false);
    expect(steps).toEqual(expected);
  });

  it('one call after the other, also after one that fails', async () => {
    const { one, steps } = keeper([10, 0]);
    await Promise.all([one.checkpoint(false), one.checkpoint(true)]);
    expect(steps).toEqual(['advance', 'restart, held', 'advance', 'truncate, held']);
    const failing = new Checkpointer({ runStep: () => Promise.reject(new Error('no file')), hold: (work) => work() });
    await expect(failing.checkpoint(false)).rejects.toThrow('no file');
    await expect(failing.checkpoint(false)).rejects.toThrow('no file');
  });
});
