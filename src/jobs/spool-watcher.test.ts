import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type SpoolWatcher, startSpoolWatcher } from './spool-watcher.ts';

let folder: string;
let watcher: SpoolWatcher;
beforeEach(() => {
  folder = join(mkdtempSync(join(tmpdir(), 'watch-')), 'spool');
});
afterEach(async () => {
  await watcher.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('the spool watcher', () => {
  it('drains at the start, and again when a file comes', async () => {
    const drain = vi.fn(async () => {});
    watcher = startSpoolWatcher({ folder, drain, onError: () => {} });
    await vi.waitFor(() => expect(drain).toHaveBeenCalledTimes(1));
    await new Promise((next) => setTimeout(next, 200));
    writeFileSync(join(folder, 'a.spool'), 'x');
    await vi.waitFor(() => expect(drain).toHaveBeenCalledTimes(2), 5_000);
  });

  it('never drains twice at a time, and goes on after a failure', async () => {
    let under = 0;
    let most = 0;
    let calls = 0;
    const drain = async () => {
      calls += 1;
      under += 1;
      most = Math.max(most, under);
      await new Promise((next) => setTimeout(next, 80));
      under -= 1;
      if (calls === 1) throw new Error('store is away');
    };
    const onError = vi.fn();
    watcher = startSpoolWatcher({ folder, drain, onError, lookAgainMs: 20 });
    await vi.waitFor(() => expect(calls).toBeGreaterThan(3), 5_000);
    expect(most).toBe(1);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('waits at its end for the drain under way', async () => {
    let isDone = false;
    const drain = async () => {
      await new Promise((next) => setTimeout(next, 150));
      isDone = true;
    };
    watcher = startSpoolWatcher({ folder, drain, onError: () => {} });
    await new Promise((next) => setTimeout(next, 100));
    await watcher.stop();
    expect(isDone).toBe(true);
  });
});
