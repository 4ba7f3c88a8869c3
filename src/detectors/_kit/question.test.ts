import { describe, expect, it } from 'vitest';
import { commonLimit, withoutMiddle } from './question.ts';

describe('texts truncated in the middle', () => {
  it.each([
    ['short', 100, 'short'],
    ['x'.repeat(100), 100, 'x'.repeat(100)],
  ])('%s of %i', (text, limit, expected) => expect(withoutMiddle(text, limit)).toBe(expected));

  it('keep the beginning and the end, and state how much is omitted', () => {
    const text = `start${'x'.repeat(1_000)}end`;
    const cut = withoutMiddle(text, 150);
    expect(cut).toMatch(/^start/);
    expect(cut).toMatch(/end$/);
    expect(cut).toContain('908 characters left out');
    expect(cut.length).toBeLessThanOrEqual(150);
  });

  it('do not split a surrogate pair', () => {
    for (let limit = 60; limit < 70; limit += 1)
      expect(withoutMiddle('😀'.repeat(100), limit).isWellFormed()).toBe(true);
  });
});

describe('the common limit', () => {
  it.each([
    [[10, 20], 100, 100],
    [[90, 20], 100, 80],
    [[90, 90], 100, 50],
    [[5, 90, 300], 100, 47],
    [[], 100, 100],
  ])('of %j within %i is %i', (lengths, total, expected) => {
    const limit = commonLimit(lengths, total);
    expect(limit).toBe(expected);
    expect(lengths.reduce((sum, length) => sum + Math.min(length, limit), 0)).toBeLessThanOrEqual(total);
  });
});
