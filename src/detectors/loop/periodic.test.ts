import { describe, expect, it } from 'vitest';
import { findPeriodicRuns } from './periodic.ts';

describe('findPeriodicRuns', () => {
  it.each<[string, string, number, unknown[]]>([
    ['a pair three times', 'ababab', 7, [{ from: 0, to: 5, period: 2, rounds: 3 }]],
    ['a triple after a beginning', 'xyabcabcabc', 7, [{ from: 2, to: 10, period: 3, rounds: 3 }]],
    ['the shortest period only', 'abababababab', 7, [{ from: 0, to: 11, period: 2, rounds: 6 }]],
    ['a cycle that breaks off in a round', 'abababa', 7, [{ from: 0, to: 6, period: 2, rounds: 3 }]],
    ['two cycles', 'abababxcdcdcd', 7, [{ from: 0 }, { from: 7 }]],
    ['too few rounds', 'abab', 7, []],
    ['one member alone', 'aaaaaaaa', 7, []],
    ['a period beyond the window', 'abcdabcdabcd', 3, []],
    ['nothing', '', 7, []],
  ])('%s: %s', (_, keys, window, expected) => {
    expect(findPeriodicRuns([...keys], window, 3)).toMatchObject(expected);
  });
});
