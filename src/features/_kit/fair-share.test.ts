import { describe, expect, it } from 'vitest';
import { FairShare } from './fair-share.ts';

type Charge = [owner: string, ms: number, at: number];

describe('a fair share', () => {
  it.each<[string, Charge[], number, string[]]>([
    ['keeps the order of owners that used nothing', [], 0, ['a', 'b', 'c']],
    ['puts the busy last', [['a', 5_000, 0]], 0, ['b', 'c', 'a']],
    ['puts the least used first', [['a', 500, 0], ['b', 900, 0], ['c', 100, 0]], 0, ['c', 'a', 'b']], // biome-ignore format: one row
    ['adds up small uses', [['a', 60, 0], ['a', 60, 0], ['b', 100, 0], ['c', 130, 0]], 0, ['b', 'a', 'c']], // biome-ignore format: one row
    ['forgets with time', [['a', 1_000, 0], ['b', 300, 60_000], ['c', 260, 60_000]], 60_000, ['a', 'c', 'b']], // biome-ignore format: one row
    ['survives a clock that steps back', [['a', 1_000, 90_000]], 0, ['b', 'c', 'a']],
  ])('%s', (_name, charges, now, order) => {
    const share = new FairShare<string>();
    for (const [owner, ms, at] of charges) share.charge(owner, ms, at);
    expect(share.inOrder(['a', 'b', 'c'], now)).toEqual(order);
  });

  it('gives each of two busy owners its turn', () => {
    const share = new FairShare<string>();
    const turns = Array.from({ length: 100 }, (_, at) => {
      const owner = share.inOrder(['slow', 'fast'], at)[0] as string;
      share.charge(owner, owner === 'slow' ? 1_000 : 100, at);
      return owner;
    });
    const slow = turns.filter((owner) => owner === 'slow').length;
    expect(slow).toBeGreaterThanOrEqual(8);
    expect(slow).toBeLessThanOrEqual(12);
  });
});
