import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '..');

/** From the bottom up; areas on one line are strangers. */
const LEVELS = [
  ['core'],
  ['formats', 'detectors', 'platforms'],
  ['store'],
  ['features'],
  ['app'],
  ['http', 'jobs', 'client'],
  ['cli'],
  ['bin'],
];

const UNWELCOME_NAMES = /(^|[-.])(utils?|helpers?|common|misc)([-.]|$)/;

interface Import {
  file: string;
  target: string;
}

function areaOf(file: string): string | null {
  const [top, second] = file.split('/');
  if (top === 'bin') return 'bin';
  if (top === 'migrations') return 'migrations';
  return top === 'src' ? (second ?? null) : null;
}

function levelOf(area: string): number {
  return LEVELS.findIndex((areas) => areas.includes(area));
}

/** Why an import is not allowed; null where it is. */
function complaint({ file, target }: Import): string | null {
  const [from, to] = [areaOf(file), areaOf(target)];
  if (from === null || to === null || from === to) return null;
  if (to === 'migrations') return from === 'store' ? null : `${file} imports migrations, which only the store may`;
  if (from === 'migrations') return `${file} imports ${target}: migrations stand alone`;
  if (levelOf(from) < 0) return `${file} stands in an area without a level`;
  if (levelOf(from) > levelOf(to)) return null;
  return `${file} imports ${target}: ${from} may not know ${to}`;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

function importsOf(file: string, text: string): Import[] {
  const specifiers = [...text.matchAll(/(?:from|import\()\s*'(\.[^']+)'/g)].map((match) => match[1] as string);
  return specifiers.map((specifier) => ({ file, target: relative(root, resolve(root, dirname(file), specifier)) }));
}

const files = ['src', 'bin', 'migrations'].flatMap(sourceFiles);
// A test may build its subject from any area below the one it stands in, and from the test support.
const shipped = files.filter((file) => !file.endsWith('.test.ts'));

describe('imports', () => {
  it('point down only', () => {
    const imports = shipped.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.map(complaint).filter((text) => text !== null)).toEqual([]);
  });

  it.each([
    ['src/core/span.ts', 'src/store/schema.ts'],
    ['src/detectors/loop/detector.ts', 'src/formats/otlp/decode-json.ts'],
    ['src/http/app.ts', 'src/jobs/analysis-pool.ts'],
    ['src/features/traces/trace.service.ts', 'src/app/config.ts'],
    ['src/cli/main.ts', 'migrations/index.ts'],
    ['src/somewhere/new.ts', 'src/core/span.ts'],
  ])('a planted import of %s to %s is found', (file, target) => {
    expect(complaint({ file, target })).not.toBeNull();
  });

  it('of the shipped code never reach into the tests', () => {
    const reaching = shipped.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));
    expect(reaching.filter(({ target }) => target.startsWith('test/') || target.endsWith('.test.ts'))).toEqual([]);
  });
});

describe('only the dialect file and the sqlite-… files beside it know SQLite', () => {
  const sqliteOnly = /better-sqlite3|pragma|WITHOUT ROWID|json_each|rowid|AUTOINCREMENT|INSERT OR /i;

  it('in the store, the features and the migrations', () => {
    const suspects = shipped.filter((file) => /^(src\/(store|features|http|jobs)|migrations)\//.test(file));
    const found = suspects.filter((file) => sqliteOnly.test(readFileSync(join(root, file), 'utf8')));
    expect(found).toContain('src/store/dialect.ts');
    expect(found.filter((file) => !/^src\/store\/(?:dialect|sqlite-[a-z-]+)\.ts$/.test(file))).toEqual([]);
    const importers = shipped.filter((file) => readFileSync(join(root, file), 'utf8').includes('/sqlite-space.ts'));
    expect(importers).toEqual(['src/store/dialect.ts']);
  });

  it('and the search finds it where it stands', () => {
    expect(sqliteOnly.test("database.pragma('journal_mode = WAL')")).toBe(true);
  });
});

describe('files', () => {
  it('are one noun in kebab-case', () => {
    const named = files.map((file) => file.split('/').at(-1) as string);
    expect(named.filter((name) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.ts$/.test(name))).toEqual([]);
    expect(files.filter((file) => UNWELCOME_NAMES.test(file.split('/').at(-1) as string))).toEqual([]);
  });

  it.each(['string-utils.ts', 'helpers.ts', 'common.ts'])('a file named %s would be refused', (name) => {
    expect(UNWELCOME_NAMES.test(name)).toBe(true);
  });

  it('stay readable: none over 400 lines', () => {
    const written = shipped.filter((file) => !file.endsWith('.generated.ts'));
    const long = written.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });
});
