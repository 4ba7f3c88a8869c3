import { describe, expect, it } from 'vitest';
import { overloaded, RateMeter, requireShortWait, retryAfterSeconds } from './overload.ts';

describe('overload', () => {
  it.each([
    [0, 1],
    [3_001, 2],
    [6_500, 5],
    [11_000, 9],
    [3_600_000, 9],
  ])('a wait of %d ms is worth a retry after %d s, always below what exporters wait', (waitMs, seconds) => {
    expect(retryAfterSeconds(waitMs)).toBe(seconds);
    expect(overloaded(waitMs)).toMatchObject({ code: 'backpressure', retryAfterSeconds: seconds });
  });

  it.each([
    [3_000, false],
    [3_001, true],
  ])('a wait of %d ms is refused: %s', (waitMs, isRefused) => {
    const check = () => requireShortWait(waitMs);
    if (isRefused) expect(check).toThrow(expect.objectContaining({ code: 'backpressure' }));
    else expect(check).not.toThrow();
  });
});

describe('rate meter', () => {
  it.each<[string, [number, number][], number]>([
    ['nothing yet: the assumed rate', [], 10],
    ['one figure', [[10_000, 100]], (9 + 10_000) / (0.9 + 100)],
    [
      'a slower time counts more than an old fast one',
      [
        [1_000, 10],
        [1_000, 1_000],
      ],
      ((9 + 1_000) * 0.9 + 1_000) / ((0.9 + 10) * 0.9 + 1_000),
    ],
  ])('%s', (_name, figures, perMs) => {
    const meter = new RateMeter(10);
    for (const [weight, ms] of figures) meter.record(weight, ms);
    expect(meter.perMs).toBeCloseTo(perMs, 9);
    expect(meter.msFor(perMs * 7)).toBeCloseTo(7, 9);
  });

  it('follows a disk that became ten times slower within ten commits', () => {
    const meter = new RateMeter(10);
    for (let at = 0; at < 50; at += 1) meter.record(100, 10);
    for (let at = 0; at < 10; at += 1) meter.record(100, 100);
    expect(meter.perMs).toBeLessThan(2);
  });

  it('is zero without work for any rate', () => {
    const meter = new RateMeter(1);
    meter.record(0, 10_000);
    expect(meter.msFor(0)).toBe(0);
  });
});
