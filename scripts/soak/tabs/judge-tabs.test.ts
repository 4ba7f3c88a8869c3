import { describe, expect, it } from 'vitest';
import { judgeTabs, type TabSample, type TabsResult } from './judge-tabs.ts';

/** An hour, a sample each minute. */
function samples(change: (index: number) => Partial<TabSample>): TabSample[] {
  return Array.from({ length: 60 }, (_, index) => ({
    atS: index * 60,
    heapMb: 9 + (index % 3) * 0.2,
    nodes: 800 + (index % 5) * 10,
    listeners: 120,
    ...change(index),
  }));
}

const GOOD: TabsResult = {
  tabs: [{ tab: 'issues', samples: samples(() => ({})) }],
  problems: [],
  sentTraces: 900,
  isLive: true,
};
const failed = (result: Partial<TabsResult>) =>
  judgeTabs({ ...GOOD, ...result }).flatMap(({ what, isPassed }) => (isPassed ? [] : [what]));
const tabs = (change: (index: number) => Partial<TabSample>) => [{ tab: 'issues', samples: samples(change) }];

describe('the judgement of open tabs', () => {
  it('passes when nothing grows', () => {
    expect(failed({})).toEqual([]);
  });

  it('ignores growth during the warm-up', () => {
    expect(failed({ tabs: tabs((index) => ({ heapMb: Math.min(index, 10) })) })).toEqual([]);
  });

  it.each<[string, Partial<TabsResult>, string]>([
    [
      'the heap grows 6 MB an hour',
      { tabs: tabs((i) => ({ heapMb: 9 + i / 10 })) },
      'issues: JavaScript heap does not grow',
    ],
    ['nodes stay referenced', { tabs: tabs((i) => ({ nodes: 800 + i * 10 })) }, 'issues: DOM nodes does not grow'],
    ['listeners stay', { tabs: tabs((i) => ({ listeners: 120 + i * 2 })) }, 'issues: event listeners does not grow'],
    ['an error is not caught', { problems: ['TypeError'] }, 'no uncaught error and no CSP report'],
    ['the list is not live', { isLive: false }, 'the last trace appears without a reload'],
    ['nothing was sent', { sentTraces: 0 }, 'the last trace appears without a reload'],
  ])('fails when %s', (_, result, what) => {
    expect(failed(result)).toEqual([what]);
  });

  it('fails with too few samples', () => {
    const short = [{ tab: 'issues', samples: samples(() => ({})).slice(0, 8) }];
    expect(failed({ tabs: short })).toHaveLength(3);
  });
});
