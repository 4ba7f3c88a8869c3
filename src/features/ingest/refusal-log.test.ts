import { beforeEach, describe, expect, it } from 'vitest';
import { type RecordedRefusal, RefusalLog } from './refusal-log.ts';

let now: number;
let log: RefusalLog;
beforeEach(() => {
  now = 1_000;
  log = new RefusalLog({ now: () => now });
});

const refusal = (part: Partial<RecordedRefusal> = {}): RecordedRefusal => ({
  tenantId: 'a',
  path: '/v1/traces',
  status: 415,
  detail: 'Send JSON.',
  sender: 'exporter/1',
  ...part,
});

describe('recent refusals', () => {
  it('are counted by kind, newest first', () => {
    log.record(refusal());
    log.record(refusal({ detail: 'Too large.' }));
    now = 2_000;
    log.record(refusal());
    expect(log.recent('a').map(({ detail, count, lastAt }) => [detail, count, lastAt])).toEqual([
      ['Send JSON.', 2, 2_000],
      ['Too large.', 1, 1_000],
    ]);
  });

  it('of a tenant are its own; those without a credential are apart', () => {
    log.record(refusal({ tenantId: null }));
    expect([log.recent('a'), log.recent('b'), log.recent(null).length]).toEqual([[], [], 1]);
  });

  it('are bounded: 20 kinds of a tenant, 1,000 tenants, 500 characters', () => {
    for (let at = 0; at < 50; at += 1) log.record(refusal({ detail: `refusal ${at}` }));
    expect(log.recent('a')).toHaveLength(20);
    expect(log.recent('a')[0]!.detail).toBe('refusal 49');
    log.record(refusal({ detail: 'x'.repeat(10_000), sender: 'y'.repeat(10_000), path: '/z'.repeat(10_000) }));
    const { detail, sender, path } = log.recent('a')[0]!;
    expect([detail.length, sender?.length, path.length]).toEqual([501, 501, 501]);
    for (let at = 0; at < 1_000; at += 1) log.record(refusal({ tenantId: `t${at}` }));
    expect(log.recent('a')).toEqual([]);
    expect(log.recent('t999')).toHaveLength(1);
  });
});
