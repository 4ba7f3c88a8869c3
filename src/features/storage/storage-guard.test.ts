import { beforeEach, describe, expect, it } from 'vitest';
import { type DataDisk, RESERVE_BYTES } from './data-disk.ts';
import { storageCheck } from './storage.check.ts';
import { isBelowFloor, StorageGuard, type StorageProblem, type StorageState } from './storage-guard.ts';
import { whileStorable } from './while-storable.ts';

const MIB = 1024 * 1024;
const FLOOR = 100 * MIB;

let now: number;
let freeBytes: number | null;
let spaceChecks: number;
let logBytes: number;
let hasReserve: boolean;
/** What a write meets; null if it succeeds. */
let diskError: string | null;
let changes: (StorageProblem | null)[];
let guard: StorageGuard;

const coded = (code: string) => Object.assign(new Error(code), { code });
const disk: DataDisk = {
  freeBytes() {
    spaceChecks += 1;
    return freeBytes;
  },
  logBytes: () => logBytes,
  hasReserve: () => hasReserve,
  async fillReserve() {
    if (diskError !== null) throw coded(diskError);
    hasReserve = true;
  },
  releaseReserve() {
    hasReserve = false;
  },
};

function open(floorBytes = FLOOR): void {
  guard = new StorageGuard({
    disk,
    floorBytes,
    async tryWrite() {
      if (diskError !== null) throw coded(diskError);
    },
    monotonicMs: () => now,
    onChange: (state: StorageState) => void changes.push(state.trouble),
  });
}

beforeEach(() => {
  [now, freeBytes, spaceChecks, logBytes, hasReserve, diskError, changes] = [0, 1_000 * MIB, 0, 0, false, null, []];
  open();
});

/** Lets a second go by, as the server does. */
async function tick(seconds = 1): Promise<void> {
  for (let at = 0; at < seconds; at += 1) {
    now += 1_000;
    await guard.maintain();
  }
}

describe('the floor of free space', () => {
  it.each<[string, number | null, number, boolean, boolean]>([
    ['enough', FLOOR, FLOOR, false, false],
    ['a byte too little', FLOOR - 1, FLOOR, false, true],
    ['a byte more after too little', FLOOR + 1, FLOOR, true, true],
    ['a tenth more after too little', FLOOR * 1.1, FLOOR, true, false],
    ['no floor', 0, 0, false, false],
    ['a file system that does not say', null, FLOOR, true, false],
  ])('with %s', (_name, free, floor, wasBelow, isBelow) => expect(isBelowFloor(free, floor, wasBelow)).toBe(isBelow));

  it('rejects writes below it and accepts them above it, with one log line each', async () => {
    guard.assertWritable();
    freeBytes = FLOOR - 1;
    await tick();
    for (let request = 0; request < 3; request += 1)
      expect(() => guard.assertWritable()).toThrow(
        expect.objectContaining({ code: 'storage_unavailable', retryAfterSeconds: 5 }),
      );
    expect(await storageCheck(guard).check()).toMatchObject({ state: 'unavailable' });
    freeBytes = FLOOR + 1;
    await tick();
    expect(guard.isWritable()).toBe(false);
    freeBytes = FLOOR * 2;
    await tick();
    guard.assertWritable();
    expect(await storageCheck(guard).check()).toMatchObject({ state: 'ok' });
    expect(changes).toEqual(['low_space', null]);
  });

  it.each<[string, number, number, number, boolean]>([
    ['a log that fits into the reserve', 0, RESERVE_BYTES, MIB, true],
    ['a longer log that fits twice into the free space', 0, 30 * MIB, 60 * MIB, true],
    ['a longer log that does not', 0, 30 * MIB, 60 * MIB - 1, false],
    ['a long log, but enough space above the floor', FLOOR, 30 * MIB, FLOOR, true],
    ['a log that is longer than half the floor', FLOOR, 80 * MIB, FLOOR, false],
    ['a file system that does not say', 0, 30 * MIB, Number.NaN, true],
  ])('%s', async (_name, floor, log, free, isWritable) => {
    open(floor);
    [freeBytes, logBytes] = [Number.isNaN(free) ? null : free, log];
    expect(guard.isWritable()).toBe(isWritable);
  });

  it('reports the space that a long log needs, and accepts writes after the checkpoint', async () => {
    open(0);
    [freeBytes, logBytes] = [50 * MIB, 30 * MIB];
    await tick();
    expect(guard.state()).toMatchObject({ trouble: 'low_space', floorBytes: 60 * MIB });
    expect(() => guard.assertWritable()).toThrow(`the minimum is ${60 * MIB}`);
    [freeBytes, logBytes] = [30 * MIB, 4 * MIB];
    await tick();
    guard.assertWritable();
    expect(guard.state().floorBytes).toBe(0);
    expect(changes).toEqual(['low_space', null]);
  });

  it('is checked once a second however many ask, and at once after a full disk', () => {
    for (let request = 0; request < 100; request += 1) guard.isWritable();
    expect(spaceChecks).toBe(1);
    now += 1_000;
    guard.isWritable();
    expect(spaceChecks).toBe(2);
    guard.recordFailure(coded('SQLITE_FULL'));
    guard.isWritable();
    expect(spaceChecks).toBe(3);
  });
});

describe('a write that fails', () => {
  it.each<[string, StorageProblem]>([
    ['SQLITE_FULL', 'full'],
    ['EROFS', 'read_only'],
    ['SQLITE_IOERR_FSYNC', 'failing'],
  ])('%s refuses all others until one succeeds again', async (code, trouble) => {
    diskError = code;
    expect(guard.recordFailure(coded(code))).toBe(true);
    expect(guard.state()).toMatchObject({ trouble, code });
    await tick(10);
    expect(guard.isWritable()).toBe(false);
    diskError = null;
    await tick(2);
    guard.assertWritable();
    expect(changes).toEqual([trouble, null]);
  });

  it('of another kind changes nothing', () => {
    expect(guard.recordFailure(coded('SQLITE_CONSTRAINT'))).toBe(false);
    expect([guard.isWritable(), changes]).toEqual([true, []]);
  });

  it('again and again makes the attempts to resume rarer', async () => {
    const lengths: number[] = [];
    for (let round = 0; round < 7; round += 1) {
      guard.recordFailure(coded('SQLITE_FULL'));
      const failedAt = now;
      while (!guard.isWritable()) await tick();
      lengths.push((now - failedAt) / 1_000);
    }
    expect(lengths).toEqual([1, 2, 4, 8, 16, 30, 30]);
  });
});

describe('the reserve', () => {
  it('is filled while there is room, released by a full disk and filled again before writes resume', async () => {
    await tick();
    expect(hasReserve).toBe(true);
    freeBytes = 0;
    guard.recordFailure(coded('ENOSPC'));
    expect(hasReserve).toBe(false);
    freeBytes = RESERVE_BYTES;
    await tick(10);
    expect([hasReserve, guard.isWritable()]).toEqual([false, false]);
    freeBytes = 1_000 * MIB;
    await tick();
    expect([hasReserve, guard.isWritable()]).toEqual([true, true]);
  });

  it('stays while the folder is read-only or the device fails', async () => {
    await tick();
    guard.recordFailure(coded('EIO'));
    expect(hasReserve).toBe(true);
  });

  it('is not what a small disk without a floor fills up with', async () => {
    open(0);
    freeBytes = RESERVE_BYTES;
    await tick(5);
    expect([hasReserve, guard.isWritable()]).toEqual([false, true]);
  });
});

describe('background work', () => {
  const work = (error: Error | null) => ({
    runDue: () => (error === null ? Promise.resolve(3) : Promise.reject(error)),
    nextDueAt: () => Promise.resolve(7),
  });
  const guarded = (error: Error | null) => whileStorable(work(error), guard, () => 50);

  it('runs while everything can be stored', async () => {
    expect(await Promise.all([guarded(null).runDue(1), guarded(null).nextDueAt()])).toEqual([3, 7]);
  });

  it('waits while the store cannot be written, and checks again after a second', async () => {
    guard.recordFailure(coded('SQLITE_FULL'));
    expect(await Promise.all([guarded(null).runDue(1), guarded(null).nextDueAt()])).toEqual([0, 1_050]);
  });

  it('that fails because of a full disk is not logged as an error, another error is', async () => {
    expect(await guarded(coded('SQLITE_FULL')).runDue(1)).toBe(0);
    await expect(guarded(new Error('x')).runDue(1)).rejects.toThrow('x');
  });
});
