import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { keptOr } from './kept-fits.ts';

const folder = join(mkdtempSync(join(tmpdir(), 'misstep-fits-')), 'kept');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('a fit is asked once, and what was kept is what it said', async () => {
  let asked = 0;
  const make = async () => {
    asked += 1;
    return { setLeftOut: new Map([['a', 0.5]]) };
  };
  const first = await keptOr(folder, 'failed', make);
  expect(await keptOr(folder, 'failed', make)).toEqual(first);
  expect(asked).toBe(1);
  await keptOr(folder, 'injection', make);
  await keptOr(undefined, 'failed', make);
  expect(asked).toBe(3);
});

test('a piece that is not there leaves nothing', async () => {
  expect(await keptOr(folder, 'trail', async () => null)).toBeNull();
  expect((await keptOr(folder, 'trail', async () => ({ outOfFold: new Map([['t', 1]]) })))?.outOfFold?.size).toBe(1);
});
