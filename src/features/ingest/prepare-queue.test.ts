import { describe, expect, it } from 'vitest';
import { PrepareQueue } from './prepare-queue.ts';

const MB = 1024 * 1024;

function setUp(slots: number) {
  const started: string[] = [];
  const running = new Map<string, () => void>();
  const timers: { at: number; run: () => void }[] = [];
  const time = { ms: 0 };
  const queue = new PrepareQueue(slots, {
    after: (ms, run) => void timers.push({ at: time.ms + ms, run }),
    now: () => time.ms,
  });
  const add = (tenantNo: number, name: string, bytes = MB, isBackground = false) => {
    const task = queue.add({
      tenantNo,
      bytes,
      isBackground,
      run: () =>
        new Promise<{ value: string; workMs: number }>((resolve) => {
          const startedAt = time.ms;
          started.push(name);
          running.set(name, () => resolve({ value: name, workMs: time.ms - startedAt }));
        }),
    });
    task.catch(() => {});
    return task;
  };
  const end = async (name: string) => {
    running.get(name)?.();
    for (let turn = 0; turn < 10; turn += 1) await Promise.resolve();
  };
  const pass = (ms: number) => {
    time.ms += ms;
    for (const timer of timers.splice(0)) {
      if (timer.at <= time.ms) timer.run();
      else timers.push(timer);
    }
  };
  return { queue, started, add, end, pass };
}

describe('prepare queue', () => {
  it('runs as many as there are slots, but never lets one tenant have them all', async () => {
    const { started, add, end } = setUp(3);
    for (const name of ['a', 'b', 'c', 'd']) add(1, name);
    expect(started).toEqual(['a', 'b']);
    add(2, 'q');
    expect(started).toEqual(['a', 'b', 'q']);
    await end('a');
    expect(started).toEqual(['a', 'b', 'q', 'c']);
  });

  it('serves tenants in turn on one slot', async () => {
    const { started, add, end } = setUp(1);
    for (const name of ['a', 'b', 'c']) add(1, name);
    add(2, 'q');
    for (const name of ['a', 'b', 'q', 'c']) await end(name);
    expect(started.indexOf('q')).toBeLessThan(started.indexOf('c'));
  });

  it('prefers senders over background work, which leaves one slot free', async () => {
    const { started, add, end } = setUp(2);
    for (const [tenantNo, name] of [
      [1, 'i'],
      [2, 'j'],
    ] as const)
      add(tenantNo, name, MB, true);
    expect(started).toEqual(['i']);
    add(3, 'q');
    expect(started).toEqual(['i', 'q']);
    add(4, 'r');
    await end('i');
    expect(started).toEqual(['i', 'q', 'r']);
  });

  it('returns the result of the task, and continues after a failed one', async () => {
    const { queue, add, end } = setUp(1);
    const failing = queue.add({
      tenantNo: 1,
      bytes: 1,
      isBackground: false,
      run: () => Promise.reject(new Error('no')),
    });
    const next = add(1, 'a');
    await expect(failing).rejects.toThrow('no');
    await end('a');
    await expect(next).resolves.toBe('a');
    expect(queue.bytes).toBe(0);
  });

  it('refuses what has waited so long that its sender would give up, but never work in the background', async () => {
    const { started, add, end, pass } = setUp(1);
    add(1, 'a');
    const late = add(1, 'b');
    add(2, 'i', MB, true);
    pass(3_999);
    pass(1);
    await expect(late).rejects.toMatchObject({ code: 'backpressure', retryAfterSeconds: expect.any(Number) });
    await end('a');
    expect(started).toEqual(['a', 'i']);
  });

  it('estimates the wait from measured bodies and the work ahead of each tenant', async () => {
    const { queue, add, end, pass } = setUp(2);
    expect(queue.waitMs(1, MB)).toBe(0);
    for (let round = 0; round < 30; round += 1) {
      add(1, 'slow');
      pass(1_000);
      await end('slow');
    }
    for (let at = 0; at < 21; at += 1) add(1, `f${at}`);
    expect(queue.waitMs(1, MB)).toBeGreaterThan(9_000);
    expect(queue.waitMs(1, MB)).toBeLessThan(12_000);
    expect(queue.waitMs(2, MB)).toBeLessThan(2_000);
    pass(250);
    expect(queue.oldestMs()).toBe(250);
  });
});
