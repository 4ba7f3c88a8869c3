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

it('one at a time; the file tells who, and is gone with the hold', () => {
  const hold = FolderLock.take(folder, 1_000);
  hold.announce('http://127.0.0.1:1', 'https://a.example');
  const expected = {
    url: 'http://127.0.0.1:1',
    webAddress: 'https://a.example',
    pid: process.pid,
    instanceId: hold.instanceId,
    startedAt: 1_000,
  };
  expect(readServerFile(folder)).toEqual(expected);
  expect(runningServer(folder)).toEqual(expected);
  expect(() => FolderLock.take(folder, 2_000)).toThrow(`by process ${process.pid}, which serves http://127.0.0.1:1`);
  hold.release();
  expect([readServerFile(folder), runningServer(folder)]).toEqual([null, null]);
  FolderLock.take(folder, 3_000).release();
});

it('what a killed server left counts as no server', () => {
  writeServerFile(folder, {
    url: 'http://127.0.0.1:1',
    webAddress: null,
    pid: process.pid,
    instanceId: 'srv_x',
    startedAt: 1,
  });
  expect(runningServer(folder)).toBeNull();
  FolderLock.take(folder, 2_000).release();
  expect(runningServer(folder)).toBeNull();
});
