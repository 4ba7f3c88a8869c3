import { afterEach, describe, expect, it } from 'vitest';
import { TenantScheduler, type TenantSchedulerOptions } from './tenant-scheduler.ts';

const opened: TenantScheduler[] = [];
// Queued work would be rejected by its timer during another test file.
afterEach(() => {
  for (const turns of opened.splice(0)) turns.close(new Error('closed'));
});

function openTurns(options: Partial<TenantSchedulerOptions> = {}) {
  const turns = new TenantScheduler({
    places: 2,
    share: 1,
    maxWaitingPerTenant: 5,
    maxWaiting: 8,
    maxWaitMs: 60_000,
    ...options,
  });
  opened.push(turns);
  const started: string[] = [];
  const places = new Map<string, () => void>();
  /** Requests a slot and records `name` when it is granted. */
  const ask = (name: string, tenantNo: number, signal?: AbortSignal) =>
    turns.acquire(tenantNo, signal).then((release) => {
      started.push(name);
      places.set(name, release);
    });
  /** Requests a slot that is not granted before the test ends. */
  const askForBusySlot = (name: string, tenantNo: number) => ask(name, tenantNo).catch(() => {});
  const end = async (name: string) => {
    places.get(name)?.();
    await settled();
  };
  return { turns, started, ask, askForBusySlot, end };
}

const settled = () => new Promise((resume) => setImmediate(resume));

describe('places', () => {
  it('go to tenants in turn, independent of their number of requests', async () => {
    const { started, ask, askForBusySlot, end } = openTurns();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void askForBusySlot(name, 1);
    for (const name of ['b1', 'b2']) void ask(name, 2);
    void ask('c1', 3);
    await settled();
    expect(started).toEqual(['a1', 'b1']);
    await end('b1');
    expect(started).toEqual(['a1', 'b1', 'c1']);
    await end('a1');
    expect(started.slice(3)).toEqual(['a2']);
    await end('c1');
    expect(started.slice(4)).toEqual(['b2']);
  });

  it('are never all with one tenant', async () => {
    const { turns, started, ask, end } = openTurns({ places: 3, share: 2 });
    for (const name of ['a1', 'a2', 'a3']) void ask(name, 1);
    await settled();
    expect(started).toEqual(['a1', 'a2']);
    expect(turns.waitingCount).toBe(1);
    await ask('b1', 2);
    await end('a1');
    expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  });

  it('are released only once', async () => {
    const { turns, ask, end } = openTurns({ places: 2, share: 2 });
    await Promise.all([ask('a1', 1), ask('a2', 1)]);
    await end('a1');
    await end('a1');
    expect(turns.busyCount).toBe(1);
  });
});

describe('queued work', () => {
  it.each([
    ['of one tenant', { maxWaitingPerTenant: 2 }, [1, 1, 1, 1]],
    ['of all', { maxWaiting: 2 }, [1, 1, 1, 1]],
  ])('is bounded: %s', async (_title, options, tenants) => {
    const { turns, ask } = openTurns({ places: 1, ...options });
    const outcomes = tenants.map((tenantNo, at) => ask(String(at), tenantNo).catch((error) => error));
    expect(await outcomes.at(-1)).toMatchObject({ code: 'backpressure', retryAfterSeconds: 2 });
    expect(turns.waitingCount).toBe(2);
    turns.close(new Error('closed'));
  });

  it('is rejected before its client times out', async () => {
    const { turns, ask } = openTurns({ places: 1, maxWaitMs: 1 });
    await ask('first', 1);
    await expect(ask('second', 2)).rejects.toMatchObject({ code: 'backpressure' });
    expect(turns.waitingCount).toBe(0);
  });

  it('is removed when its client disconnects', async () => {
    const { turns, started, ask, end } = openTurns({ places: 1 });
    await ask('first', 1);
    const disconnect = new AbortController();
    const second = ask('second', 2, disconnect.signal);
    const third = ask('third', 3);
    disconnect.abort(new Error('disconnect'));
    await expect(second).rejects.toThrow('disconnect');
    await end('first');
    await third;
    expect(started).toEqual(['first', 'third']);
    expect(turns.waitingCount).toBe(0);
    await expect(ask('late', 1, disconnect.signal)).rejects.toThrow('disconnect');
  });

  it('is rejected when the scheduler closes', async () => {
    const { turns, ask } = openTurns({ places: 1 });
    await ask('first', 1);
    const second = ask('second', 2);
    turns.close(new Error('closed'));
    await expect(second).rejects.toThrow('closed');
  });
});
