import { describe, expect, it } from 'vitest';
import { type ImportGraph, isPureTest, testsOf } from './select-tests.ts';

const graph: ImportGraph = new Map([
  ['src/a.ts', []],
  ['src/a.test.ts', ['vitest', 'src/a.ts']],
  ['src/b.ts', ['src/a.ts']],
  ['src/c.ts', ['src/b.ts']],
  ['src/other.test.ts', ['src/c.ts', 'src/serve.ts']],
  ['src/more.test.ts', ['src/a.ts']],
  ['src/serve.ts', ['node:http']],
  ['src/alone.ts', []],
  ['src/ring.ts', ['src/ring-two.ts']],
  ['src/ring-two.ts', ['src/ring.ts']],
]);

describe('the tests of a file', () => {
  it.each<[string, string[], string[]]>([
    ['the one next to it, and those that import it', ['src/a.ts'], ['src/a.test.ts', 'src/more.test.ts']],
    ['those of the nearest importer, for a file without a test', ['src/b.ts'], ['src/other.test.ts']],
    ['the test itself', ['src/a.test.ts'], ['src/a.test.ts']],
    [
      'each once, for several files',
      ['src/a.ts', 'src/a.test.ts', 'src/c.ts'],
      ['src/a.test.ts', 'src/more.test.ts', 'src/other.test.ts'],
    ],
    ['none, for a file that no test imports', ['src/alone.ts', 'src/ring.ts', 'src/unknown.ts'], []],
  ])('%s', (_name, files, tests) => {
    expect(testsOf(files, graph)).toEqual(tests);
  });
});

describe('a pure test', () => {
  it.each([
    ['src/a.test.ts', true],
    ['src/other.test.ts', false],
  ])('%s: %s', (test, isPure) => {
    expect(isPureTest(test, graph)).toBe(isPure);
  });
});
