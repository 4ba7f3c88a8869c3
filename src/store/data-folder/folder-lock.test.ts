import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FolderLock, runningServer } from './folder-lock.ts';
import { readServerFile, writeServerFile } from './server-file.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'misstep-hold-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

it('one process holds the lock; the server file names it and is deleted on release', () => {
  const hold = FolderLock.acquire(folder, 1_000, undefined);
  hold.announce({ url: 'http://127.0.0.1:1', webAddress: 'https://a.example', healingRoots: ['/srv/agents'] });
  const expected = {
    url: 'http://127.0.0.1:1',
    webAddress: 'https://a.example',
    healingRoots: ['/srv/agents'],
    pid: process.pid,
    instanceId: hold.instanceId,
    startedAt: 1_000,
  };
  expect(readServerFile(folder)).toEqual(expected);
  expect(runningServer(folder, undefined)).toEqual(expected);
  expect(() => FolderLock.acquire(folder, 2_000, undefined)).toThrow(
    `by process ${process.pid}, which serves http://127.0.0.1:1`,
  );
  hold.release();
  expect([readServerFile(folder), runningServer(folder, undefined)]).toEqual([null, null]);
  FolderLock.acquire(folder, 3_000, undefined).release();
});

it('the server file of a killed server is ignored', () => {
  writeServerFile(folder, {
    url: 'http://127.0.0.1:1',
    webAddress: null,
    healingRoots: [],
    pid: process.pid,
    instanceId: 'srv_x',
    startedAt: 1,
  });
  expect(runningServer(folder, undefined)).toBeNull();
  FolderLock.acquire(folder, 2_000, undefined).release();
  expect(runningServer(folder, undefined)).toBeNull();
});
