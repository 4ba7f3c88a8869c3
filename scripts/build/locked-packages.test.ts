import { describe, expect, it } from 'vitest';
import { bundledDependencies, type LockedPackages, packageFolderOf, packageNameOf } from './locked-packages.ts';

it.each([
  ['node_modules/koa/lib/application.js', 'node_modules/koa', 'koa'],
  ['node_modules/@koa/cors/index.js', 'node_modules/@koa/cors', '@koa/cors'],
  ['node_modules/ora/node_modules/ansi-regex/index.js', 'node_modules/ora/node_modules/ansi-regex', 'ansi-regex'],
  ['node_modules/@a/b/node_modules/@c/d/e/f.js', 'node_modules/@a/b/node_modules/@c/d', '@c/d'],
  ['../main/node_modules/koa/lib/application.js', 'node_modules/koa', 'koa'],
])('%s belongs to %s', (path, folder, name) => {
  expect(packageFolderOf(path)).toBe(folder);
  expect(packageNameOf(folder)).toBe(name);
});

it.each(['src/cli/main.ts', '../src/main.ts', 'my_node_modules/a/b.js'])('%s belongs to the project', (path) => {
  expect(packageFolderOf(path)).toBeNull();
});

describe('dependencies between bundled packages', () => {
  const packages: LockedPackages = {
    '': { version: '1.0.0', dependencies: { a: '1', types: '1' } },
    'node_modules/a': { version: '1.0.0', dependencies: { b: '2' }, peerDependencies: { c: '1', absent: '1' } },
    'node_modules/a/node_modules/b': { version: '2.0.0', dependencies: { c: '1' } },
    'node_modules/b': { version: '1.0.0' },
    'node_modules/c': { version: '1.0.0', optionalDependencies: { b: '1' } },
    'node_modules/types': { version: '1.0.0', dependencies: { c: '1', types: '1' } },
  };
  const bundled = new Set(Object.keys(packages).filter((folder) => !folder.endsWith('types')));

  it.each([
    ['', ['node_modules/a', 'node_modules/c']],
    ['node_modules/a', ['node_modules/a/node_modules/b', 'node_modules/c']],
    ['node_modules/a/node_modules/b', ['node_modules/c']],
    ['node_modules/c', ['node_modules/b']],
    ['node_modules/b', []],
  ])('of %j', (folder, expected) => {
    expect(bundledDependencies(packages, folder, bundled)).toEqual(expected);
  });
});
