import { describe, expect, it } from 'vitest';
import { JudgePause } from './judge-pause.ts';

describe('the pause after failures', () => {
  const clock = { time: 1_000, now: () => clock.time };
  /** Pauses after each of these answers; a number is `Retry-After` of a failure in ms, null a failure without it. */
  const pausesAfter = (...answers: ('answer' | number | null)[]) => {
    const pause = new JudgePause(clock);
    return answers.map((answer) => {
      if (answer === 'answer') pause.recordResponse();
      else pause.recordFailure(answer);
      return pause.until === 0 ? 0 : pause.until - clock.time;
    });
  };

  it.each<[string, ('answer' | number | null)[], number[]]>([
    ['doubles with each failure', [null, null, null], [10_000, 20_000, 40_000]],
    [
      'is ten minutes at most',
      [null, null, null, null, null, null, null],
      [10_000, 20_000, 40_000, 80_000, 160_000, 320_000, 600_000],
    ],
    ['starts again after an answer', [null, null, 'answer', null], [10_000, 20_000, 20_000, 10_000]],
    ['is as long as the endpoint asks', [300_000], [300_000]],
    ['is no shorter than its own', [1_000], [10_000]],
    ['is ten minutes at most, whatever the endpoint asks', [86_400_000], [600_000]],
    ['is none after an answer', ['answer'], [0]],
  ])('%s', (_name, answers, pauses) => {
    expect(pausesAfter(...answers)).toEqual(pauses);
  });

  it('is over at its end, and when the clock was set back', () => {
    const pause = new JudgePause(clock);
    expect(pause.isActive).toBe(false);
    expect([pause.recordFailure(null), pause.recordFailure(null)]).toEqual([true, false]);
    const ends = pause.until;
    const isActiveAt = (time: number) => {
      clock.time = time;
      return pause.isActive;
    };
    expect([ends - 1, ends, ends - 600_001].map(isActiveAt)).toEqual([true, false, false]);
  });
});
