import { describe, expect, it } from 'vitest';
import { adjustForCount } from './false-alarm-scale.ts';

describe('adjustForCount', () => {
  it.each([
    ['one text keeps its score', 0.5, 1, 0.5],
    ['a score that one text in a hundred reaches counts little among fifty texts', 0.5, 50, 0.03],
    ['one in five hundred, ten times', 0.72, 10, 0.4],
    ['0 stays 0', 0, 40, 0],
    ['a certain score decreases little', 1, 10, 0.94],
  ])('%s', (_, score, count, expected) => {
    expect(adjustForCount(score, count)).toBeCloseTo(expected, 2);
  });

  it('keeps the order', () => {
    const scores = Array.from({ length: 100 }, (_, at) => adjustForCount(at / 100, 7));
    expect(scores).toEqual([...scores].sort((a, b) => a - b));
  });
});
