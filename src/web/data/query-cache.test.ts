import { effect } from '@preact/signals-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { QueryCache } from './query-cache.ts';

let now: number;
let cache: QueryCache;
/** Loads that were started, in order; the test settles each. */
let calls: { signal: AbortSignal; respond(value: string): Promise<void>; fail(error: unknown): Promise<void> }[];
beforeEach(() => {
  now = 1_000;
  cache = new QueryCache(() => now);
  calls = [];
});

function load(signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const settle = () =>
    promise.then(
      () => {},
      () => {},
    );
  calls.push({
    signal,
    respond: (value) => {
      resolve(value);
      return settle();
    },
    fail: (error) => {
      reject(error);
      return settle();
    },
  });
  return promise;
}

const stateOf = (key: string) => cache.state<string>(key).value;

describe('a query', () => {
  it('is fetched once for several readers', async () => {
    cache.read('a', load);
    cache.read('a', load);
    expect([calls.length, stateOf('a').isLoading]).toEqual([1, true]);
    await calls[0]!.respond('one');
    expect(stateOf('a')).toEqual({ value: 'one', error: undefined, isLoading: false });
  });

  it('is refetched after 30 s, and keeps the old value meanwhile', async () => {
    cache.read('a', load)();
    cache.read('a', load);
    await calls.at(-1)!.respond('one');
    const count = calls.length;
    now += 29_000;
    cache.read('a', load);
    expect(calls).toHaveLength(count);
    now += 2_000;
    cache.read('a', load);
    expect(calls).toHaveLength(count + 1);
    expect(stateOf('a')).toMatchObject({ value: 'one', isLoading: true });
  });

  it('is aborted without an error when its last reader leaves', async () => {
    const [unsubscribeFirst, unsubscribeSecond] = [cache.read('a', load), cache.read('a', load)];
    unsubscribeFirst();
    unsubscribeFirst();
    expect(calls[0]!.signal.aborted).toBe(false);
    unsubscribeSecond();
    expect(calls[0]!.signal.aborted).toBe(true);
    await calls[0]!.fail(new Error('aborted'));
    expect(stateOf('a')).toEqual({ value: undefined, error: undefined, isLoading: false });
  });

  it('keeps its value when a refetch fails', async () => {
    cache.read('a', load);
    await calls[0]!.respond('one');
    cache.invalidate('a');
    await calls[1]!.fail('broken');
    expect(stateOf('a')).toEqual({ value: 'one', error: 'broken', isLoading: false });
  });

  it('ignores the response to a replaced request', async () => {
    cache.read('a', load);
    cache.invalidate('a');
    await calls[0]!.respond('old');
    await calls[1]!.respond('new');
    expect(stateOf('a').value).toBe('new');
    expect(calls[0]!.signal.aborted).toBe(true);
  });
});

describe('invalidate', () => {
  it('refetches queries with readers at once, and the others when they are read', async () => {
    cache.read('issues?a', load);
    const unsubscribe = cache.read('issues?b', load);
    cache.read('traces', load);
    for (const call of calls) await call.respond('x');
    unsubscribe();
    cache.invalidate('issues');
    expect(calls).toHaveLength(4);
    cache.read('issues?b', load);
    expect(calls).toHaveLength(5);
  });

  it('refetches a query once although its state is read at each change', async () => {
    cache.read('issues?a', load);
    cache.read('issues?b', load);
    for (const call of calls) await call.respond('one');
    const dispose = effect(() => void [stateOf('issues?a'), stateOf('issues?b')]);
    cache.invalidate('issues');
    dispose();
    expect(calls).toHaveLength(4);
  });

  it('refetches a key once that matches several prefixes', async () => {
    cache.read('issues?a', load);
    await calls[0]!.respond('one');
    cache.invalidate('issues', '');
    expect(calls).toHaveLength(2);
    expect(calls[1]!.signal.aborted).toBe(false);
  });
});

describe('patch', () => {
  it('changes a cached value and adds no missing one', async () => {
    cache.patch('a', () => 'never');
    cache.read('a', load);
    await calls[0]!.respond('one');
    cache.patch<string>('a', (value) => `${value}!`);
    expect(stateOf('a').value).toBe('one!');
    expect(stateOf('b').value).toBeUndefined();
  });
});

describe('clear', () => {
  it('removes values and aborts running requests', async () => {
    cache.read('a', load);
    cache.clear();
    expect(calls[0]!.signal.aborted).toBe(true);
    await calls[0]!.respond('late');
    expect(stateOf('a').value).toBeUndefined();
  });
});

describe('eviction', () => {
  it('keeps the 200 queries that were read last', async () => {
    for (let index = 0; index < 250; index += 1) {
      const unsubscribe = cache.read(`k${index}`, load);
      await calls.at(-1)!.respond('x');
      unsubscribe();
    }
    expect(cache.keys('k')).toHaveLength(200);
    expect(cache.keys('k')).toContain('k249');
    expect(cache.keys('k')).not.toContain('k0');
  });
});
