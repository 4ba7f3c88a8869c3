import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { SpoolWatcher } from './spool-watcher.ts';

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
  it('drains at the start, and again when a file appears', async () => {
    const drain = vi.fn(async () => {});
    watcher = new SpoolWatcher({ folder, drain, onError: () => {} });
    await vi.waitFor(() => expect(drain).toHaveBeenCalledTimes(1));
    await new Promise((next) => setTimeout(next, 200));
    writeFileSync(join(folder, 'a.spool'), 'x');
    await vi.waitFor(() => expect(drain).toHaveBeenCalledTimes(2), 5_000);
  });

  it('never runs two drains at once, and continues after a failure', async () => {
    let active = 0;
    let maxActive = 0;
    let calls = 0;
    const drain = async () => {
      calls += 1;
      active += 1;
      maxActive = Math.max(maxActive, active);
      await new Promise((next) => setTimeout(next, 80));
      active -= 1;
      if (calls === 1) throw new Error('store is away');
    };
    const onError = vi.fn();
    watcher = new SpoolWatcher({ folder, drain, onError, pollMs: 20 });
    await vi.waitFor(() => expect(calls).toBeGreaterThan(3), 5_000);
    expect(maxActive).toBe(1);
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('waits for the running drain when it stops', async () => {
    let isDone = false;
    const drain = async () => {
      await new Promise((next) => setTimeout(next, 150));
      isDone = true;
    };
    watcher = new SpoolWatcher({ folder, drain, onError: () => {} });
    await new Promise((next) => setTimeout(next, 100));
    await watcher.stop();
    expect(isDone).toBe(true);
  });
});
