import { afterEach, describe, expect, it } from 'vitest';
import { TenantScheduler, type TenantSchedulerOptions } from './tenant-scheduler.ts';

const opened: TenantScheduler[] = [];
// What still waits would be refused by its timer while another file runs.
afterEach(() => {
  for (const turns of opened.splice(0)) turns.close(new Error('closed'));
});

function openTurns(options: Partial<TenantSchedulerOptions> = {}) {
  const turns = new TenantScheduler({
    places: 2,
    share: 1,
    maxWaitingOfTenant: 5,
    maxWaiting: 8,
    maxWaitMs: 60_000,
    ...options,
  });
  opened.push(turns);
  const started: string[] = [];
  const places = new Map<string, () => void>();
  /** Asks for a place under a name, which is noted when it is given. */
  const ask = (name: string, tenantNo: number, signal?: AbortSignal) =>
    turns.take(tenantNo, signal).then((giveBack) => {
      started.push(name);
      places.set(name, giveBack);
    });
  /** Asks for a place that is not given before the test ends. */
  const askInVain = (name: string, tenantNo: number) => ask(name, tenantNo).catch(() => {});
  const end = async (name: string) => {
    places.get(name)?.();
    await settled();
  };
  return { turns, started, ask, askInVain, end };
}

const settled = () => new Promise((resume) => setImmediate(resume));

describe('places', () => {
  it('go to tenants in turn, independent of their number of requests', async () => {
    const { started, ask, askInVain, end } = openTurns();
    for (const name of ['a1', 'a2', 'a3', 'a4']) void askInVain(name, 1);
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

  it('are given back once', async () => {
    const { turns, ask, end } = openTurns({ places: 2, share: 2 });
    await Promise.all([ask('a1', 1), ask('a2', 1)]);
    await end('a1');
    await end('a1');
    expect(turns.busyCount).toBe(1);
  });
});

describe('what waits', () => {
  it.each([
    ['of one tenant', { maxWaitingOfTenant: 2 }, [1, 1, 1, 1]],
    ['of all', { maxWaiting: 2 }, [1, 1, 1, 1]],
  ])('is bounded: %s', async (_title, options, tenants) => {
    const { turns, ask } = openTurns({ places: 1, ...options });
    const outcomes = tenants.map((tenantNo, at) => ask(String(at), tenantNo).catch((error) => error));
    expect(await outcomes.at(-1)).toMatchObject({ code: 'backpressure', retryAfterSeconds: 2 });
    expect(turns.waitingCount).toBe(2);
    turns.close(new Error('closed'));
  });

  it('is refused before its client gives up', async () => {
    const { turns, ask } = openTurns({ places: 1, maxWaitMs: 1 });
    await ask('first', 1);
    await expect(ask('second', 2)).rejects.toMatchObject({ code: 'backpressure' });
    expect(turns.waitingCount).toBe(0);
  });

  it('leaves when its client has gone', async () => {
    const { turns, started, ask, end } = openTurns({ places: 1 });
    await ask('first', 1);
    const gone = new AbortController();
    const second = ask('second', 2, gone.signal);
    const third = ask('third', 3);
    gone.abort(new Error('gone'));
    await expect(second).rejects.toThrow('gone');
    await end('first');
    await third;
    expect(started).toEqual(['first', 'third']);
    expect(turns.waitingCount).toBe(0);
    await expect(ask('late', 1, gone.signal)).rejects.toThrow('gone');
  });

  it('is refused when the turns are closed', async () => {
    const { turns, ask } = openTurns({ places: 1 });
    await ask('first', 1);
    const second = ask('second', 2);
    turns.close(new Error('closed'));
    await expect(second).rejects.toThrow('closed');
  });
});
