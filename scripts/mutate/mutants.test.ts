import { describe, expect, it } from 'vitest';
import { applyMutant, mutantsOf } from './mutants.ts';

const changed = (text: string) => mutantsOf(text).map((mutant) => applyMutant(text, mutant));

describe('mutants', () => {
  it.each<[string, string, string[]]>([
    ['a comparison', 'f = a < b', ['f = a <= b']],
    ['an equality', 'f = a === b', ['f = a !== b']],
    ['arithmetic', 'f = a - b', ['f = a + b']],
    ['a sum of numbers, not of texts', "f = a + b + ' ms'", ["f = a - b + ' ms'"]],
    ['a logical operator', 'f = a && b', ['f = a || b']],
    ['a default', 'f = a ?? b', ['f = a && b']],
    ['a condition', 'if (a) b = c;', ['if (true) b = c;', 'if (false) b = c;']],
    ['a choice', 'f = a ? b : c', ['f = true ? b : c', 'f = false ? b : c']],
    ['a negation', 'f = !a', ['f = a']],
    ['a number', 'const LIMIT = 5;', ['const LIMIT = 6;']],
    ['a boolean', 'const IS_ON = true;', ['const IS_ON = false;']],
    ['a call', 'note(a);', ['']],
    ['an awaited call', 'await note(a);', ['']],
    ['a filter', 'f = list.filter(g)', ['f = list']],
    ['a bound', 'f = Math.min(a, b)', ['f = Math.max(a, b)']],
    ['a quantifier', 'f = list.some(g)', ['f = list.every(g)']],
    ['not a method that every object has', 'f = a.toString()', []],
    ['a loop, which still ends', 'while (more) next();', ['while (false) next();', 'while (more) ']],
    ['no type', 'let a: 1 | 2; type B = { c: 3 };', []],
    ['not the text of an error', "throw new Error(a ? 'b' : 'c');", []],
    ['no import', "import a from './b.ts';", []],
    ['the inside of a type assertion', 'f = (a as number) < b!', ['f = (a as number) <= b!']],
  ])('change %s', (_name, text, expected) => {
    expect(changed(text)).toEqual(expected);
  });

  it('name their line and their change', () => {
    expect(mutantsOf('let a = 1;\nlet b = a > c;')).toMatchObject([
      { line: 1, description: '1 → 2' },
      { line: 2, description: 'a > c → a >= c' },
    ]);
  });
});
