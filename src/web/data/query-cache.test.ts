import { effect } from '@preact/signals-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { QueryCache } from './query-cache.ts';

let now: number;
let cache: QueryCache;
/** Calls that were made, in order; each is answered by the test. */
let calls: { signal: AbortSignal; answer(value: string): Promise<void>; fail(error: unknown): Promise<void> }[];
beforeEach(() => {
  now = 1_000;
  cache = new QueryCache(() => now);
  calls = [];
});

function load(signal: AbortSignal): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const settled = () =>
    promise.then(
      () => {},
      () => {},
    );
  calls.push({
    signal,
    answer: (value) => {
      resolve(value);
      return settled();
    },
    fail: (error) => {
      reject(error);
      return settled();
    },
  });
  return promise;
}

const stateOf = (key: string) => cache.state<string>(key).value;

describe('a query', () => {
  it('is fetched once for several readers, and its answer is shown', async () => {
    cache.read('a', load);
    cache.read('a', load);
    expect([calls.length, stateOf('a').isLoading]).toEqual([1, true]);
    await calls[0]!.answer('one');
    expect(stateOf('a')).toEqual({ value: 'one', error: undefined, isLoading: false });
  });

  it('shows the old answer while it fetches a new one, 30 s later and not before', async () => {
    cache.read('a', load)();
    cache.read('a', load);
    await calls.at(-1)!.answer('one');
    const count = calls.length;
    now += 29_000;
    cache.read('a', load);
    expect(calls).toHaveLength(count);
    now += 2_000;
    cache.read('a', load);
    expect(calls).toHaveLength(count + 1);
    expect(stateOf('a')).toMatchObject({ value: 'one', isLoading: true });
  });

  it('is aborted when its last reader leaves, which is no error', async () => {
    const [leaveOne, leaveOther] = [cache.read('a', load), cache.read('a', load)];
    leaveOne();
    leaveOne();
    expect(calls[0]!.signal.aborted).toBe(false);
    leaveOther();
    expect(calls[0]!.signal.aborted).toBe(true);
    await calls[0]!.fail(new Error('aborted'));
    expect(stateOf('a')).toEqual({ value: undefined, error: undefined, isLoading: false });
  });

  it('keeps its value beside the error of a later attempt', async () => {
    cache.read('a', load);
    await calls[0]!.answer('one');
    cache.invalidate('a');
    await calls[1]!.fail('broken');
    expect(stateOf('a')).toEqual({ value: 'one', error: 'broken', isLoading: false });
  });

  it('ignores the answer to a call that a later one replaced', async () => {
    cache.read('a', load);
    cache.invalidate('a');
    await calls[0]!.answer('old');
    await calls[1]!.answer('new');
    expect(stateOf('a').value).toBe('new');
    expect(calls[0]!.signal.aborted).toBe(true);
  });
});

describe('invalidating', () => {
  it('fetches what is shown at once, and the rest when it is read', async () => {
    cache.read('issues?a', load);
    const leave = cache.read('issues?b', load);
    cache.read('traces', load);
    for (const call of calls) await call.answer('x');
    leave();
    cache.invalidate('issues');
    expect(calls).toHaveLength(4);
    cache.read('issues?b', load);
    expect(calls).toHaveLength(5);
  });

  it('fetches what a view reads again at each change once', async () => {
    cache.read('issues?a', load);
    cache.read('issues?b', load);
    for (const call of calls) await call.answer('one');
    const stop = effect(() => void [stateOf('issues?a'), stateOf('issues?b')]);
    cache.invalidate('issues');
    stop();
    expect(calls).toHaveLength(4);
  });

  it('fetches a key once that several prefixes begin', async () => {
    cache.read('issues?a', load);
    await calls[0]!.answer('one');
    cache.invalidate('issues', '');
    expect(calls).toHaveLength(2);
    expect(calls[1]!.signal.aborted).toBe(false);
  });
});

describe('patching', () => {
  it('changes a value that is there', async () => {
    cache.patch('a', () => 'never');
    cache.read('a', load);
    await calls[0]!.answer('one');
    cache.patch<string>('a', (value) => `${value}!`);
    expect(stateOf('a').value).toBe('one!');
    expect(stateOf('b').value).toBeUndefined();
  });
});

describe('clearing', () => {
  it('forgets values and aborts what runs', async () => {
    cache.read('a', load);
    cache.clear();
    expect(calls[0]!.signal.aborted).toBe(true);
    await calls[0]!.answer('late');
    expect(stateOf('a').value).toBeUndefined();
  });
});

describe('many queries', () => {
  it('keep the 200 that were read last', async () => {
    for (let at = 0; at < 250; at += 1) {
      const leave = cache.read(`k${at}`, load);
      await calls.at(-1)!.answer('x');
      leave();
    }
    expect(cache.keys('k')).toHaveLength(200);
    expect(cache.keys('k')).toContain('k249');
    expect(cache.keys('k')).not.toContain('k0');
  });
});
