import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import checker from 'recheck/package.json' with { type: 'json' };
import { describe, expect, test } from 'vitest';
import { SECRET_ASSIGNMENT } from '../src/formats/redaction/assignment.ts';
import { KEY_TABLE, TAIL_SHAPES, WORD_START } from '../src/formats/redaction/key-shapes.ts';
import { PERSONAL_CUES, PERSONAL_PATTERNS } from '../src/formats/redaction/personal-patterns.ts';
import { SECRET_CUES, SECRET_PATTERNS } from '../src/formats/redaction/secret-patterns.ts';
import { alternatives } from './support/alternatives.ts';
import { openSafeSubjects } from './support/known-safe.ts';

/** These read untrusted input: a slow expression there lets one body stop the program. */
const AREAS = ['detectors', 'formats', 'features'];
const SOURCES = join(import.meta.dirname, '../src');
/** Files that build expressions at run time; `assembled` lists those that read text, not those that read field names. */
const ASSEMBLING = [
  // The search text, with all pattern characters escaped.
  'features/traces/trace-find.ts',
  ...['assignment.ts', 'disguise.ts', 'key-finder.ts', 'secret-names.ts', 'secret-patterns.ts'].map(
    (file) => `formats/redaction/${file}`,
  ),
];

interface Expression {
  where: string;
  source: string;
  flags: string;
}

/** A regular expression literal in the position of a value; comments are removed first. */
const LITERAL = /(?:^|[(,=:[!&|?{;>]|return)\s*\/((?![*/])(?:[^\\/[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)\/([dgimsuvy]*)/g;

function literalsIn(where: string, code: string): Expression[] {
  return code
    .split('\n')
    .filter((line) => !/^\s*(?:\*|\/\*|\/\/)/.test(line))
    .flatMap((line) =>
      [...line.matchAll(LITERAL)].map(([, source, flags]) => ({ where, source: source!, flags: flags! })),
    );
}

function shippedFiles(): { where: string; code: string }[] {
  return AREAS.flatMap((area) => readdirSync(join(SOURCES, area), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts') && !entry.name.endsWith('.test.ts'))
    .map((entry) => join(entry.parentPath, entry.name))
    .sort()
    .map((path) => ({ where: path.slice(SOURCES.length + 1), code: readFileSync(path, 'utf8') }));
}

/** Tokens are tried separately at their first characters; the tail shapes are parts of one alternation. */
function assembled(): Expression[] {
  const whole = [
    ...[...SECRET_CUES, ...PERSONAL_CUES].flatMap(({ regexes }) => regexes ?? []),
    ...[...SECRET_PATTERNS, ...PERSONAL_PATTERNS].flatMap(({ regex }) => regex ?? []),
  ].filter(({ source }) => !source.includes(TAIL_SHAPES.join('|')));
  return [
    ...[SECRET_ASSIGNMENT, ...whole].map(({ source, flags }) => ({ source, flags })),
    ...KEY_TABLE.map(({ shape }) => ({ source: `^(?:${shape})`, flags: '' })),
    ...TAIL_SHAPES.map((shape) => ({ source: WORD_START + shape, flags: '' })),
  ].map((expression) => ({ where: 'formats/redaction', ...expression }));
}

/**
 * Counts steps, independent of the load of the machine: at most 200 for each character of a text of 6,000 characters. This
 * detects quadratic growth whose attempts start at most 15 characters apart.
 */
const BOUNDS = {
  timeout: null,
  seedingTimeout: null,
  incubationTimeout: null,
  attackTimeout: null,
  maxAttackStringSize: 6_000,
  attackLimit: 1_200_000,
  maxIteration: 3,
  randomSeed: 1,
};

/** The start position does not change the duration of a match. */
function relevantFlags(flags: string): string {
  return flags.replace(/[gdy]/g, '');
}

async function isSafe({ source, flags }: Expression): Promise<boolean> {
  const { status } = await check(source, relevantFlags(flags), BOUNDS);
  return status === 'safe';
}

/** Everything that a verdict depends on. */
function subjectOf({ source, flags }: Expression) {
  return [checker.version, BOUNDS, relevantFlags(flags), source];
}

async function slowExpressions(waiting: Expression[]): Promise<Expression[]> {
  const slow: Expression[] = [];
  const checkNext = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) if (!(await isSafe(next))) slow.push(next);
  };
  await Promise.all([checkNext(), checkNext()]);
  return slow;
}

const known = openSafeSubjects();
const files = shippedFiles();
const expressions = [...files.flatMap(({ where, code }) => literalsIn(where, code)), ...assembled()];

describe('no expression that reads untrusted text can be made slow', () => {
  test('all of them', async () => {
    const parts = expressions.flatMap((each) => alternatives(each.source).map((source) => ({ ...each, source })));
    const different = new Map(parts.map((each) => [`${relevantFlags(each.flags)}/${each.source}`, each]));
    expect(different.size).toBeGreaterThan(1000);
    const all = [...different.values()];
    const slow = await slowExpressions(all.filter((each) => !known.has(subjectOf(each))));
    known.save(all.filter((each) => !slow.includes(each)).map(subjectOf));
    expect(slow).toEqual([]);
  }, 1_500_000);

  test('expressions are built in known files only', () => {
    const assembling = files.filter(({ code }) => code.includes('new RegExp(')).map(({ where }) => where);
    expect(assembling).toEqual(ASSEMBLING);
  });

  test.each([
    '(?:a+)+b',
    'eyJ[A-Za-z0-9_-]+[.]',
    '(?<!x)eyJ[A-Za-z0-9_-]+[.]',
    '(?<!x)abcdefghijkl[a-z]+[.]',
    '(?<=^|[^a])[\\w.]+@[\\w.]+',
  ])('a slow one is detected: %s', async (source) =>
    expect(await isSafe({ where: '', source, flags: '' })).toBe(false),
  );

  test.each([
    ['a|b', ['a', 'b']],
    ['(?:a|b)|[c|d]|e\\|f|\\[g|h', ['(?:a|b)', '[c|d]', 'e\\|f', '\\[g', 'h']],
    ['(a)|(?:b|c)\\1', ['(a)|(?:b|c)\\1']],
    ['(?<n>a)|\\k<n>', ['(?<n>a)|\\k<n>']],
    ['[\\]|]x|[(]|y', ['[\\]|]x', '[(]', 'y']],
    ['', ['']],
  ])('alternatives are distinguished: %s', (source, parts) => {
    expect(alternatives(source)).toEqual(parts);
    expect(alternatives(source).join('|')).toBe(source);
  });

  test('a slow one is detected among others', async () => {
    const all = alternatives('fine|(?<!x)eyJ[A-Za-z0-9_-]+[.]|a{1,3}').map((source) => ({
      where: '',
      source,
      flags: '',
    }));
    expect((await slowExpressions(all)).map(({ source }) => source)).toEqual(['(?<!x)eyJ[A-Za-z0-9_-]+[.]']);
  });

  test.each([
    ['if (/^a+$/i.test(text)) return;', ['^a+$']],
    ['text.split(/[/]b/).map((x) => /c\\/d/g.exec(x))', ['[/]b', 'c\\/d']],
    ['  /only (?:one|two)/,', ['only (?:one|two)']],
    ['const half = a / b / c; // not /this/', []],
    ["join('/a/', b, '/c/')", []],
  ])('literals are found: %s', (code, sources) => {
    expect(literalsIn('', code).map(({ source }) => source)).toEqual(sources);
  });
});
