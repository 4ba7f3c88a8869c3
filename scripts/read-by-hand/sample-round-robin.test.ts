import { describe, expect, it } from 'vitest';
import { sampleRoundRobin } from './sample-round-robin.ts';

const items = [...Array.from({ length: 50 }, (_, at) => `a${at}`), 'b0', 'c0', 'c1'];
const firstLetter = (item: string) => item.slice(0, 1);

describe('sampleRoundRobin', () => {
  it('takes one item of each group before a second of any', () => {
    const drawn = sampleRoundRobin(items, firstLetter, 3, 7);
    expect(drawn.map(firstLetter).sort()).toEqual(['a', 'b', 'c']);
  });

  it('draws no item twice, and all items if there are too few', () => {
    expect(sampleRoundRobin(items, firstLetter, 100, 7).toSorted()).toEqual(items.toSorted());
  });

  it('depends on the seed only', () => {
    expect(sampleRoundRobin(items, firstLetter, 10, 7)).toEqual(sampleRoundRobin(items, firstLetter, 10, 7));
    expect(sampleRoundRobin(items, firstLetter, 10, 7)).not.toEqual(sampleRoundRobin(items, firstLetter, 10, 8));
  });
});
