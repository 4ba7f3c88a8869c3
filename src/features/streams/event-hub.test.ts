import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../test/support/http-app.ts';
import { createEventHub } from './event-hub.ts';
import type { StreamEvent } from './stream-event.ts';

function listen() {
  const seen: StreamEvent[] = [];
  let ended = 0;
  return {
    seen,
    ended: () => ended,
    listener: {
      receive: (event: StreamEvent) => void seen.push(event),
      end: () => {
        ended += 1;
      },
    },
  };
}

const numbersOf = (events: readonly StreamEvent[]) => events.map(({ data }) => data.n);
const setUp = (limits: { keptEvents?: number; keptChannels?: number } = {}) => {
  const clock = createFakeClock();
  const hub = createEventHub({ clock, ...limits });
  const publish = (n: number, tenantNo = 1, integration: 'flowplatform' | 'llmapps' = 'flowplatform') =>
    hub.publish(tenantNo, integration, 'execution.started', { n });
  return { clock, hub, publish };
};

describe('a stream', () => {
  it('has the events of its tenant and integration alone, with ids that grow', () => {
    const { hub, publish } = setUp();
    const { seen, listener } = listen();
    hub.subscribe(1, 'flowplatform', null, listener);
    publish(1);
    publish(2, 2);
    publish(3, 1, 'llmapps');
    publish(4);
    expect(numbersOf(seen)).toEqual([1, 4]);
    expect(seen[1]!.id).toBeGreaterThan(seen[0]!.id);
  });

  it('starts with new events unless Last-Event-ID is sent', () => {
    const { hub, publish } = setUp();
    publish(1);
    const first = hub.subscribe(1, 'flowplatform', null, listen().listener);
    expect(first).toMatchObject({ missed: [], hasGap: false });
    publish(2);
    publish(3);
    const again = hub.subscribe(1, 'flowplatform', first.newestId, listen().listener);
    expect([numbersOf(again.missed), again.hasGap]).toEqual([[2, 3], false]);
  });

  it('has ids beyond those of the process before', () => {
    const { clock, hub, publish } = setUp();
    for (let n = 0; n < 20; n += 1) publish(n);
    const { newestId } = hub.subscribe(1, 'flowplatform', null, listen().listener);
    clock.advance(1);
    const next = createEventHub({ clock });
    next.publish(1, 'flowplatform', 'execution.started', { n: 100 });
    const { missed, hasGap } = next.subscribe(1, 'flowplatform', newestId, listen().listener);
    expect([numbersOf(missed), hasGap, missed[0]!.id > newestId]).toEqual([[100], true, true]);
  });

  it('sends a gap for lost events, then the kept ones', () => {
    const { hub, publish } = setUp({ keptEvents: 3 });
    const { newestId } = hub.subscribe(1, 'flowplatform', null, listen().listener);
    for (const n of [1, 2, 3]) publish(n);
    expect(hub.subscribe(1, 'flowplatform', newestId, listen().listener).hasGap).toBe(false);
    publish(4);
    const { missed, hasGap } = hub.subscribe(1, 'flowplatform', newestId, listen().listener);
    expect([numbersOf(missed), hasGap]).toEqual([[2, 3, 4], true]);
  });

  it.each([0, 1, Number.MAX_SAFE_INTEGER])('does not pretend to know event %d', (afterId) => {
    const { hub, publish } = setUp();
    publish(1);
    const { missed, hasGap } = hub.subscribe(1, 'flowplatform', afterId, listen().listener);
    expect([numbersOf(missed), hasGap]).toEqual([[1], true]);
  });

  it('ends when it is stopped', () => {
    const { hub, publish } = setUp();
    const { seen, listener } = listen();
    const { stop } = hub.subscribe(1, 'flowplatform', null, listener);
    expect(hub.listenerCount(1)).toBe(1);
    stop();
    publish(1);
    expect([seen, hub.listenerCount(1)]).toEqual([[], 0]);
  });

  it('is notified when the hub closes', () => {
    const { hub } = setUp();
    const { ended, listener } = listen();
    hub.subscribe(1, 'flowplatform', null, listener);
    hub.close();
    expect(ended()).toBe(1);
  });
});

describe('streams of many tenants', () => {
  it('are removed, the least active first, but not those with a client', () => {
    const { hub, publish } = setUp({ keptChannels: 2 });
    const kept = hub.subscribe(1, 'flowplatform', null, listen().listener);
    const second = hub.subscribe(2, 'flowplatform', null, listen().listener);
    second.stop();
    publish(2, 2);
    publish(3, 3);
    expect(hub.subscribe(1, 'flowplatform', kept.newestId, listen().listener).hasGap).toBe(false);
    publish(4, 2);
    const again = hub.subscribe(2, 'flowplatform', second.newestId, listen().listener);
    expect([numbersOf(again.missed), again.hasGap]).toEqual([[4], true]);
  });
});
