import { mkdtempSync, readdirSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { drainSpool, type SpoolBatch } from './drain-spool.ts';
import { nodeDisk, type SpoolDisk } from './spool-disk.ts';
import { appendEntry, DEFAULT_SPOOL_LIMITS } from './spool-writer.ts';

const NOW = 1_790_000_000_000;
const LATER = Date.now() + 3_600_000;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'spool-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const add = (text: string, limits = DEFAULT_SPOOL_LIMITS, disk: SpoolDisk = nodeDisk) =>
  appendEntry(folder, { receivedAtMs: NOW, contentType: null, tenantId: null, body: Buffer.from(text) }, limits, disk);

/** A store as the real one behaves: records and key land together or not at all. */
function memoryStore() {
  const taken: string[] = [];
  const keys = new Set<string>();
  const sink = async ({ onceKey, entries }: SpoolBatch) => {
    if (keys.has(onceKey)) return;
    keys.add(onceKey);
    taken.push(...entries.map((entry) => Buffer.from(entry.body).toString()));
  };
  return { taken, sink };
}

/** A disk whose process dies before (or right after) its n-th step and does nothing any more. */
function dyingDisk(steps: number, isAfter: boolean): SpoolDisk {
  let left = steps;
  const mortal = Object.entries(nodeDisk).map(([name, act]) => [
    name,
    (...args: unknown[]) => {
      left -= 1;
      if (left < 0 || (left === 0 && !isAfter)) throw new Error('power cut');
      const result = (act as (...args: unknown[]) => unknown)(...args);
      if (left === 0) throw new Error('power cut');
      return result;
    },
  ]);
  return Object.fromEntries(mortal) as SpoolDisk;
}

describe('draining', () => {
  it('passes every entry once, in order, and deletes the files', async () => {
    for (const text of ['one', 'two', 'three']) add(text);
    expect(readdirSync(folder)).toHaveLength(1);
    const store = memoryStore();
    const report = await drainSpool(folder, store.sink, LATER);
    expect(store.taken).toEqual(['one', 'two', 'three']);
    expect(report).toMatchObject({ files: 1, entries: 3, torn: 0, refused: 0, failures: [] });
    expect(readdirSync(folder)).toEqual([]);
  });

  it('finds nothing without a folder', async () => {
    const report = await drainSpool(join(folder, 'missing'), memoryStore().sink, LATER);
    expect(report.files).toBe(0);
  });

  it('keeps the file if the sink fails, and stores it the next time', async () => {
    add('one');
    const failing = await drainSpool(folder, () => Promise.reject(new Error('store is away')), LATER);
    expect(failing.failures).toHaveLength(1);
    const store = memoryStore();
    await drainSpool(folder, store.sink, LATER);
    expect(store.taken).toEqual(['one']);
  });

  it.each([false, true])(
    'neither loses nor doubles when the drainer dies at any step (after it: %s)',
    async (isAfter) => {
      for (let step = 1; step < 12; step += 1) {
        const store = memoryStore();
        add(`a${step}`);
        add(`b${step}`);
        await drainSpool(folder, store.sink, LATER, { disk: dyingDisk(step, isAfter) }).catch(() => undefined);
        await drainSpool(folder, store.sink, LATER);
        expect(store.taken, `step ${step}`).toEqual([`a${step}`, `b${step}`]);
        expect(readdirSync(folder)).toEqual([]);
      }
    },
  );

  it('stores each entry once when it dies right after the commit', async () => {
    const store = memoryStore();
    add('one');
    const dieAfterCommit = async (batch: SpoolBatch) => {
      await store.sink(batch);
      throw new Error('killed');
    };
    await drainSpool(folder, dieAfterCommit, LATER);
    await drainSpool(folder, store.sink, LATER);
    expect(store.taken).toEqual(['one']);
  });

  it('counter-check: a store without keys stores the entry twice', async () => {
    const taken: string[] = [];
    add('one');
    const forgetful = async ({ entries }: SpoolBatch) => {
      taken.push(...entries.map((entry) => Buffer.from(entry.body).toString()));
      if (taken.length === 1) throw new Error('killed');
    };
    await drainSpool(folder, forgetful, LATER);
    await drainSpool(folder, forgetful, LATER);
    expect(taken).toEqual(['one', 'one']);
  });

  it('lets two drainers work at once', async () => {
    for (const text of ['one', 'two']) add(text, { ...DEFAULT_SPOOL_LIMITS, sealBytes: 1 });
    const store = memoryStore();
    const reports = await Promise.all([1, 2].map(() => drainSpool(folder, store.sink, LATER)));
    expect(store.taken.toSorted()).toEqual(['one', 'two']);
    expect(reports.flatMap((report) => report.failures)).toEqual([]);
  });
});

describe('writing', () => {
  it.each([false, true])(
    'a writer that dies at any step costs at most its own entry (after it: %s)',
    async (isAfter) => {
      for (let step = 1; step < 12; step += 1) {
        const store = memoryStore();
        add('before');
        let isAcknowledged = false;
        try {
          isAcknowledged = add('dying', DEFAULT_SPOOL_LIMITS, dyingDisk(step, isAfter));
        } catch {}
        add('after');
        await drainSpool(folder, store.sink, LATER);
        expect(store.taken.filter((text) => text === 'before')).toHaveLength(1);
        expect(store.taken.filter((text) => text === 'after')).toHaveLength(1);
        const copies = store.taken.filter((text) => text === 'dying').length;
        expect(copies === 1 || (copies === 0 && !isAcknowledged), `step ${step}: ${copies} copies`).toBe(true);
      }
    },
  );

  it('does not read a file of a running writer', async () => {
    const held = join(folder, `1-1-x.spool.writing`);
    nodeDisk.append(held, Buffer.from('half an ent'));
    const report = await drainSpool(folder, memoryStore().sink, Date.now());
    expect(report.files).toBe(0);
    utimesSync(held, new Date(0), new Date(0));
    expect((await drainSpool(folder, memoryStore().sink, Date.now())).torn).toBe(1);
  });

  it('closes a file that has grown, and writes a large body to a separate file', () => {
    const limits = { maxBytes: 1_000_000, sealBytes: 300 };
    add('x'.repeat(100), limits);
    add('y'.repeat(5_000), limits);
    add('z', limits);
    expect(readdirSync(folder)).toHaveLength(3);
  });

  it('refuses the newest when full, counts it, and keeps the oldest', async () => {
    const limits = { maxBytes: 300, sealBytes: 200 };
    expect(add('first', limits)).toBe(true);
    expect(add('x'.repeat(400), limits)).toBe(false);
    expect(add('y'.repeat(400), limits)).toBe(false);
    const store = memoryStore();
    const report = await drainSpool(folder, store.sink, LATER);
    expect(store.taken).toEqual(['first']);
    expect(report.refused).toBe(2);
    expect((await drainSpool(folder, store.sink, LATER)).refused).toBe(0);
  });
});
