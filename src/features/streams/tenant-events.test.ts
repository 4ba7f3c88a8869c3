import { describe, expect, it } from 'vitest';
import { createFakeClock } from '../../../test/support/http-app.ts';
import { createEventHub } from './event-hub.ts';
import type { StreamEvent, TenantEventName } from './stream-event.ts';
import { TenantEvents } from './tenant-events.ts';

function setUp({ isOpen = true } = {}) {
  const hub = createEventHub({ clock: createFakeClock() });
  const turns: (() => void)[] = [];
  const events = new TenantEvents({ hub, after: (_ms, run) => void turns.push(run) });
  const seen: StreamEvent[] = [];
  if (isOpen) hub.subscribe(1, 'tenant', null, { receive: (event) => void seen.push(event), end() {} });
  const turn = () => {
    for (const run of turns.splice(0)) run();
    return seen.splice(0).map(({ event, data }) => `${event} ${data.n ?? JSON.stringify(data.left_out)}`);
  };
  return { hub, events, turns, turn };
}

describe('events of one object within a turn are one', () => {
  it.each<[string, TenantEventName[], string]>([
    ['started and updated', ['execution.started', 'execution.updated', 'execution.updated'], 'execution.started 2'],
    ['updated', ['execution.updated', 'execution.updated'], 'execution.updated 1'],
    ['updated and finished', ['execution.updated', 'execution.finished'], 'execution.finished 1'],
    ['started and finished', ['execution.started', 'execution.finished'], 'execution.finished 1'],
    ['finished and going on', ['execution.finished', 'execution.updated'], 'execution.updated 1'],
    ['a new issue that recurs', ['issue.created', 'issue.updated'], 'issue.created 1'],
    ['an issue that regresses and recurs', ['issue.regressed', 'issue.updated'], 'issue.regressed 1'],
  ])('%s', (_name, names, expected) => {
    const { events, turn } = setUp();
    names.forEach((name, n) => void events.record(1, name, 'a', { n }));
    expect(turn()).toEqual([expected]);
  });

  it('but not events of other objects, other topics or later turns', () => {
    const { events, turn } = setUp();
    events.record(1, 'execution.started', 'a', { n: 1 });
    events.record(1, 'execution.started', 'b', { n: 2 });
    events.record(1, 'issue.updated', 'a', { n: 3 });
    expect(turn()).toEqual(['execution.started 1', 'execution.started 2', 'issue.updated 3']);
    events.record(1, 'execution.updated', 'a', { n: 4 });
    expect(turn()).toEqual(['execution.updated 4']);
  });
});

describe('a burst', () => {
  it('is bounded: the first 200 events, then one gap with the number of the others', () => {
    const { events, turns, turn } = setUp();
    for (let n = 0; n < 5_000; n += 1) events.record(1, 'execution.started', `run ${n}`, { n });
    events.record(1, 'import.updated', 'job', { n: 1 });
    events.record(1, 'execution.updated', 'run 7', { n: 7_007 });
    expect(turns).toHaveLength(1);
    const seen = turn();
    expect(seen).toHaveLength(201);
    expect(seen[7]).toBe('execution.started 7007');
    expect(seen.at(-1)).toBe('gap {"traces":4800,"imports":1}');
    events.record(1, 'execution.updated', 'run 4999', { n: 1 });
    expect(turn()).toEqual(['execution.updated 1']);
  });

  it('of one tenant leaves the events of another alone', () => {
    const { hub, events, turn } = setUp();
    const others: StreamEvent[] = [];
    hub.subscribe(2, 'tenant', null, { receive: (event) => void others.push(event), end() {} });
    for (let n = 0; n < 500; n += 1) events.record(1, 'execution.started', `run ${n}`, { n });
    events.record(2, 'execution.started', 'a', { n: 1 });
    turn();
    expect(others.map(({ event }) => event)).toEqual(['execution.started']);
  });
});

describe('a tenant without an open stream', () => {
  it('stores nothing, and a client with an older id receives a gap event', () => {
    const { hub, events, turns } = setUp({ isOpen: false });
    events.record(1, 'execution.started', 'a', { n: 1 });
    expect(turns).toEqual([]);
    const { hasGap } = hub.subscribe(1, 'tenant', 17, { receive() {}, end() {} });
    expect(hasGap).toBe(true);
  });

  it('receives a gap event also after its channel was dropped for others', () => {
    const hub = createEventHub({ clock: createFakeClock(), keptChannels: 1 });
    const listener = { receive() {}, end() {} };
    const first = hub.subscribe(1, 'tenant', null, listener);
    first.stop();
    hub.subscribe(2, 'tenant', null, listener).stop();
    expect(hub.has(1, 'tenant')).toBe(false);
    expect(hub.subscribe(1, 'tenant', first.newestId, listener).hasGap).toBe(true);
  });
});
