import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from 'recheck';
import { describe, expect, test } from 'vitest';
import { SECRET_ASSIGNMENT } from '../src/formats/redaction/assignment.ts';
import { PERSONAL_CUES, PERSONAL_PATTERNS } from '../src/formats/redaction/personal-patterns.ts';
import { KEY_SHAPES, SECRET_CUES, SECRET_PATTERNS, WORD_START } from '../src/formats/redaction/secret-patterns.ts';

/** These read what strangers send: a slow expression there lets one body stop the program. */
const AREAS = ['detectors', 'formats', 'features'];
const SOURCES = join(import.meta.dirname, '../src');
/** Files that put expressions together at run time; `assembled` lists what reads text, not what reads names of fields. */
const ASSEMBLING = ['assignment.ts', 'secret-names.ts', 'secret-patterns.ts'].map(
  (file) => `formats/redaction/${file}`,
);

interface Expression {
  where: string;
  source: string;
  flags: string;
}

/** An expression in a place where a value may stand; comments are left out before. */
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

/** The long alternation of key shapes is checked piece by piece: its pieces begin unlike each other. */
function assembled(): Expression[] {
  const whole = [
    SECRET_ASSIGNMENT,
    ...[...SECRET_CUES, ...PERSONAL_CUES, ...SECRET_PATTERNS, ...PERSONAL_PATTERNS].map(({ regex }) => regex),
  ];
  return [
    ...whole
      .filter(({ source }) => !source.includes(KEY_SHAPES.join('|')))
      .map(({ source, flags }) => ({ source, flags })),
    ...KEY_SHAPES.map((shape) => ({ source: WORD_START + shape, flags: '' })),
  ].map((expression) => ({ where: 'formats/redaction', ...expression }));
}

/** Long, so that it is steps that count and not how busy the machine is. */
const PATIENCE = { timeout: 60_000, incubationTimeout: 5000, attackTimeout: 20_000 };

/** Where to start does not change how long a match takes. */
function flagsThatMatter(flags: string): string {
  return flags.replace(/[gdy]/g, '');
}

async function isSafe({ source, flags }: Expression): Promise<boolean> {
  const { status } = await check(source, flagsThatMatter(flags), { ...PATIENCE, maxIteration: 3, randomSeed: 1 });
  return status === 'safe';
}

/** A few at a time: a check that waits for the processor runs out of its own time. */
async function slowOnes(waiting: Expression[]): Promise<Expression[]> {
  const slow: Expression[] = [];
  const checkNext = async () => {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) if (!(await isSafe(next))) slow.push(next);
  };
  await Promise.all([checkNext(), checkNext()]);
  return slow;
}

const files = shippedFiles();
const expressions = [...files.flatMap(({ where, code }) => literalsIn(where, code)), ...assembled()];

describe('no expression that reads foreign text can be made slow', () => {
  test('all of them', async () => {
    const different = new Map(expressions.map((each) => [`${flagsThatMatter(each.flags)}/${each.source}`, each]));
    expect(different.size).toBeGreaterThan(200);
    expect(await slowOnes([...different.values()])).toEqual([]);
  }, 600_000);

  test('expressions are put together in known files only', () => {
    const assembling = files.filter(({ code }) => code.includes('new RegExp(')).map(({ where }) => where);
    expect(assembling).toEqual(ASSEMBLING);
  });

  test.each(['(?:a+)+b', 'eyJ[A-Za-z0-9_-]+[.]', '(?<!x)eyJ[A-Za-z0-9_-]+[.]', '(?<=^|[^a])[\\w.]+@[\\w.]+'])(
    'a slow one is noticed: %s',
    async (source) => expect(await isSafe({ where: '', source, flags: '' })).toBe(false),
  );

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
