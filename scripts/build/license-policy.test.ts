import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { isAllowedLicense } from './license-policy.ts';
import { readLockedPackages } from './locked-packages.ts';

it.each([
  ['MIT', true],
  ['blessing', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['GPL-3.0-only OR Apache-2.0', true],
  ['MIT AND BSD-3-Clause', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only', false],
  ['MIT OR (GPL-3.0-only AND ISC)', false],
  ['Apache-2.0 WITH LLVM-exception', false],
  ['mit', false],
  ['UNLICENSED', false],
  ['SEE LICENSE IN LICENSE.txt', false],
  ['', false],
])('the licence %j is allowed: %s', (expression, isAllowed) => {
  expect(isAllowedLicense(expression)).toBe(isAllowed);
});

it('every production package of the lockfile has an allowed licence', () => {
  const { '': _, ...packages } = readLockedPackages(resolve(import.meta.dirname, '../..'));
  const production = Object.entries(packages).filter(([, { dev }]) => !dev);
  expect(production.length).toBeGreaterThan(100);
  expect(production.filter(([, { license }]) => !isAllowedLicense(license ?? '')).map(([folder]) => folder)).toEqual(
    [],
  );
});
