import { describe, expect, it } from 'vitest';
import { BodyBudget } from './body-budget.ts';

/** Leases single bytes until the holder is refused. @returns their number */
function fill(budget: BodyBudget, holder: string): number {
  const lease = budget.lease(holder);
  for (let bytes = 0; ; bytes += 1) {
    try {
      lease.hold(1);
    } catch {
      return bytes;
    }
  }
}

describe('BodyBudget', () => {
  it('grants one holder three quarters and always leaves some for the next', () => {
    const budget = new BodyBudget(1_024);
    expect(['a', 'b', 'c', 'd', 'e'].map((holder) => fill(budget, holder))).toEqual([768, 192, 48, 12, 3]);
    expect(fill(budget, 'a')).toBe(0);
  });

  it('releases exactly the bytes of a body', () => {
    const budget = new BodyBudget(100);
    const [one, other] = [budget.lease('a'), budget.lease('a')];
    one.hold(30);
    other.hold(45);
    expect(() => other.hold(1)).toThrow(expect.objectContaining({ code: 'backpressure', retryAfterSeconds: 2 }));
    one.release(10);
    expect(budget.heldBytes).toBe(65);
    one.release();
    one.release();
    other.release();
    expect(budget.heldBytes).toBe(0);
    expect(fill(budget, 'a')).toBe(75);
  });
});
