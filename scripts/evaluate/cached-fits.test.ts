import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { cachedOr } from './cached-fits.ts';

const folder = join(mkdtempSync(join(tmpdir(), 'misstep-fits-')), 'kept');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FAILED = { name: 'failed', code: 'a' };
const TRAIL = { name: 'trail', code: 'a' };

test('a fit runs once and is read from the cache until the code changes', async () => {
  let fitCount = 0;
  const runFit = async () => {
    fitCount += 1;
    return { setLeftOut: new Map([['a', 0.5]]) };
  };
  const first = await cachedOr(folder, FAILED, runFit);
  expect(await cachedOr(folder, FAILED, runFit)).toEqual(first);
  expect(fitCount).toBe(1);
  await cachedOr(folder, { name: 'injection', code: 'a' }, runFit);
  await cachedOr(undefined, FAILED, runFit);
  expect(fitCount).toBe(3);
  await cachedOr(folder, { ...FAILED, code: 'b' }, runFit);
  expect(fitCount).toBe(4);
});

test('a fit without a result is not cached', async () => {
  expect(await cachedOr(folder, TRAIL, async () => null)).toBeNull();
  expect((await cachedOr(folder, TRAIL, async () => ({ outOfFold: new Map([['t', 1]]) })))?.outOfFold?.size).toBe(1);
});
