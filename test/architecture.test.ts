import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findCycles, type Import, importsOf } from './support/import-graph.ts';

const root = resolve(import.meta.dirname, '..');

/** From the bottom up; areas on one line must not import each other. */
const LEVELS = [
  ['core'],
  ['formats', 'detectors', 'platforms'],
  ['store'],
  ['features'],
  ['app'],
  ['http', 'jobs', 'client'],
  ['web'],
  ['cli'],
  ['bin'],
];

const FORBIDDEN_NAMES = /(^|[-.])(utils?|helpers?|common|misc)([-.]|$)/;

function areaOf(file: string): string | null {
  const [top, second] = file.split('/');
  if (top === 'bin') return 'bin';
  if (top === 'migrations') return 'migrations';
  return top === 'src' ? (second ?? null) : null;
}

function levelOf(area: string): number {
  return LEVELS.findIndex((areas) => areas.includes(area));
}

const WEB_CLIENT = 'src/client/misstep-client.generated.ts';

/** Why an import is not allowed; null if it is. */
function violation({ file, target }: Import): string | null {
  const [from, to] = [areaOf(file), areaOf(target)];
  if (from === 'web' && to !== 'web')
    return target === WEB_CLIENT
      ? null
      : `${file} imports ${target}: the web page may import only the generated client`;
  if (to === 'web' && from !== 'web') return `${file} imports ${target}: the web page is not part of the program`;
  if (from === null || to === null || from === to) return null;
  if (to === 'migrations') return from === 'store' ? null : `${file} imports migrations, which only the store may`;
  if (from === 'migrations') return `${file} imports ${target}: migrations import nothing else`;
  if (levelOf(from) < 0) return `${file} is in an area without a level`;
  if (levelOf(from) > levelOf(to)) return null;
  return `${file} imports ${target}: ${from} may not know ${to}`;
}

function sourceFiles(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => relative(root, join(entry.parentPath, entry.name)));
}

const isTest = (file: string) => /\.test\.tsx?$/.test(file);

/** The detector that a file belongs to; null for the kit, the readings and the list of detectors. */
function detectorOf(file: string): string | null {
  const folder = /^src\/detectors\/([^/]+)\//.exec(file)?.[1];
  return folder !== undefined && existsSync(join(root, 'src/detectors', folder, 'detector.ts')) ? folder : null;
}

/** The folder of code that detectors share, such as `_kit`; null for everything else. */
function sharedFolderOf(file: string): string | null {
  return /^src\/detectors\/(_[a-z]+)\//.exec(file)?.[1] ?? null;
}

/** The folders of src/detectors from the bottom up; folders on one line do not import one another. */
const DETECTOR_LEVELS = [
  ['_kit'],
  ['_models', '_remedies'],
  ['_readings'],
  ['_attribution'],
  ['detector'],
  ['_runner'],
  ['_testing'],
];

function detectorLevelOf(file: string): number {
  const folder = detectorOf(file) === null ? sharedFolderOf(file) : 'detector';
  return DETECTOR_LEVELS.findIndex((folders) => folder !== null && folders.includes(folder));
}

/** Whether an import within src/detectors goes to another detector, or up. Only the list of detectors imports detectors. */
function crossesDetectors({ file, target }: Import): boolean {
  const folderOf = (path: string) => detectorOf(path) ?? sharedFolderOf(path);
  const [from, to] = [folderOf(file), folderOf(target)];
  if (from === null || to === null || from === to) return false;
  return detectorOf(target) !== null || detectorLevelOf(file) <= detectorLevelOf(target);
}

const files = ['src', 'bin', 'migrations'].flatMap(sourceFiles);
// A test may import any area below its own, and the test support.
const shipped = files.filter((file) => !isTest(file));
const imports = shipped.flatMap((file) => importsOf(file, readFileSync(join(root, file), 'utf8')));

describe('imports', () => {
  it('go only to lower areas', () => {
    expect(imports.length).toBeGreaterThan(100);
    expect(imports.map(violation).filter((text) => text !== null)).toEqual([]);
  });

  it.each([
    ['src/core/span.ts', 'src/store/schema.ts'],
    ['src/detectors/loop/detector.ts', 'src/formats/otlp/decode-json.ts'],
    ['src/http/app.ts', 'src/jobs/analysis-pool.ts'],
    ['src/features/traces/trace.service.ts', 'src/app/config.ts'],
    ['src/cli/main.ts', 'migrations/index.ts'],
    ['src/somewhere/new.ts', 'src/core/span.ts'],
    ['src/web/app.tsx', 'src/core/span.ts'],
    ['src/web/data/server.ts', 'src/client/backend.ts'],
    ['src/http/routes/dashboard.ts', 'src/web/app.tsx'],
    ['src/cli/main.ts', 'src/web/address/routes.ts'],
  ])('a planted import of %s to %s is found', (file, target) => {
    expect(violation({ file, target })).not.toBeNull();
  });

  it('of shipped code never go to tests', () => {
    expect(imports.filter(({ target }) => target.startsWith('test/') || isTest(target))).toEqual([]);
  });

  it('form no cycles, including type imports', () => {
    expect(findCycles(imports)).toEqual([]);
  });

  it('do not connect two detectors', () => {
    expect(imports.filter(({ target }) => sharedFolderOf(target) !== null).length).toBeGreaterThan(100);
    expect(imports.filter(crossesDetectors).map(({ file, target }) => `${file} imports ${target}`)).toEqual([]);
  });
});

describe('a planted violation', () => {
  it.each<[string, Record<string, string>, string[][]]>([
    [
      'an import back',
      { 'src/a.ts': "import { b } from './b.ts';", 'src/b.ts': "export { a } from './a.ts';" },
      [['src/a.ts', 'src/b.ts']],
    ],
    [
      'an import of a type, over several lines',
      { 'src/a.ts': "import type {\n  B,\n} from './b.ts';", 'src/b.ts': "type A = import('./a.ts').A;" },
      [['src/a.ts', 'src/b.ts']],
    ],
    [
      'three .tsx files, one of them imported when it is needed',
      {
        'src/web/a.tsx': "const b = await import('./b.tsx');",
        'src/web/b.tsx': "import './c.tsx';",
        'src/web/c.tsx': "import { a } from './a.tsx';",
      },
      [['src/web/a.tsx', 'src/web/b.tsx', 'src/web/c.tsx']],
    ],
    ['a file that imports itself', { 'src/a.ts': "import { a } from './a.ts';" }, [['src/a.ts']]],
    [
      'none where two files import a third',
      { 'src/a.ts': "import './c.ts';", 'src/b.ts': "import './c.ts'; import './a.ts';", 'src/c.ts': '' },
      [],
    ],
  ])('cycle: %s', (_name, sources, cycles) => {
    const planted = Object.entries(sources).flatMap(([file, text]) => importsOf(file, text));
    expect(findCycles(planted)).toEqual(cycles);
  });

  it.each([
    ['src/detectors/loop/detector.ts', 'src/detectors/injection/detector.ts', true],
    ['src/detectors/tool_failure/detector.ts', 'src/detectors/loop/fixes.ts', true],
    ['src/detectors/_readings/repeats/turns.ts', 'src/detectors/loop/fixes.ts', true],
    ['src/detectors/_runner/run.ts', 'src/detectors/loop/detector.ts', true],
    ['src/detectors/_kit/define.ts', 'src/detectors/_readings/calls/calls.ts', true],
    ['src/detectors/_readings/calls/calls.ts', 'src/detectors/_attribution/ranking.ts', true],
    ['src/detectors/_models/linear-model.ts', 'src/detectors/_remedies/rule-texts.ts', true],
    ['src/detectors/loop/detector.ts', 'src/detectors/_runner/run.ts', true],
    ['src/detectors/_runner/run.ts', 'src/detectors/_testing/tester.ts', true],
    ['src/detectors/_runner/run.ts', 'src/detectors/_readings/calls/calls.ts', false],
    ['src/detectors/loop/detector.ts', 'src/detectors/loop/fixes.ts', false],
    ['src/detectors/loop/detector.ts', 'src/detectors/_kit/define.ts', false],
    ['src/detectors/loop/detector.ts', 'src/detectors/_readings/repeats/turns.ts', false],
    ['src/detectors/registry.ts', 'src/detectors/loop/detector.ts', false],
  ])('an import of a detector: %s imports %s', (file, target, isFound) => {
    expect(crossesDetectors({ file, target })).toBe(isFound);
  });
});

describe('the shared readings', () => {
  const folder = 'src/detectors/_readings';
  const readings = shipped.filter((file) => file.startsWith(`${folder}/`)).map((file) => relative(folder, file));

  it('match the list in their README', () => {
    const text = readFileSync(join(root, folder, 'README.md'), 'utf8');
    const listed = [...text.matchAll(/^\| `([a-z/-]+\.ts)` \|/gm)].map((match) => match[1]!);
    expect(readings.length).toBeGreaterThan(50);
    expect(listed.sort()).toEqual(readings.sort());
  });
});

describe('the web page', () => {
  const web = shipped.filter((file) => file.startsWith('src/web/'));
  const markupSink =
    /innerHTML|outerHTML|dangerouslySetInnerHTML|\beval\b|insertAdjacentHTML|DOMParser|document\.write/;

  it('sets no HTML from text', () => {
    expect(web.filter((file) => file.endsWith('.tsx')).length).toBeGreaterThan(10);
    expect(web.filter((file) => markupSink.test(readFileSync(join(root, file), 'utf8')))).toEqual([]);
  });

  it.each(['element.innerHTML = text', '<p dangerouslySetInnerHTML={{ __html }} />', 'eval(text)', 'new DOMParser()'])(
    'a planted `%s` is found',
    (line) => expect(markupSink.test(line)).toBe(true),
  );

  it('has every stylesheet in style/all.css', () => {
    const all = readFileSync(join(root, 'src/web/style/all.css'), 'utf8');
    const sheets = readdirSync(join(root, 'src/web'), { recursive: true, encoding: 'utf8' }).filter(
      (file) => file.endsWith('.css') && file !== 'style/all.css',
    );
    expect(sheets.length).toBeGreaterThan(5);
    const listed = [...all.matchAll(/@import "([^"]+)"/g)].map((match) => relative('.', join('style', match[1]!)));
    expect(listed.sort()).toEqual(sheets.sort());
  });
});

describe('SQLite is used only in the dialect file and the sqlite-… files', () => {
  const sqliteOnly = /better-sqlite3|pragma|WITHOUT ROWID|json_each|rowid|AUTOINCREMENT|INSERT OR /i;

  it('in the store, the features and the migrations', () => {
    const suspects = shipped.filter((file) => /^(src\/(store|features|http|jobs)|migrations)\//.test(file));
    const found = suspects.filter((file) => sqliteOnly.test(readFileSync(join(root, file), 'utf8')));
    expect(found).toContain('src/store/dialect.ts');
    expect(found.filter((file) => !/^src\/store\/(?:dialect|sqlite-[a-z-]+)\.ts$/.test(file))).toEqual([]);
    const importers = shipped.filter((file) => readFileSync(join(root, file), 'utf8').includes('/sqlite-space.ts'));
    expect(importers).toEqual(['src/store/dialect.ts']);
  });

  it('and each opened database names the native addon, which only its path finds in the executable', () => {
    const opened = shipped.flatMap((file) =>
      [...readFileSync(join(root, file), 'utf8').matchAll(/new (?:BetterSqlite3|Sqlite)\([^;]*;/g)].map(
        ([call]) => `${file}: ${call}`,
      ),
    );
    expect(opened.length).toBeGreaterThan(8);
    expect(opened.filter((call) => !call.includes('nativeBinding:'))).toEqual([]);
  });

  it('and the search finds SQLite in these files', () => {
    expect(sqliteOnly.test("database.pragma('journal_mode = WAL')")).toBe(true);
  });
});

describe('files', () => {
  it('have names in kebab-case', () => {
    const named = files.map((file) => file.split('/').at(-1) as string);
    expect(named.filter((name) => !/^[a-z0-9]+([-.][a-z0-9]+)*\.tsx?$/.test(name))).toEqual([]);
    expect(files.filter((file) => FORBIDDEN_NAMES.test(file.split('/').at(-1) as string))).toEqual([]);
  });

  it.each(['string-utils.ts', 'helpers.ts', 'common.ts'])('a file named %s is rejected', (name) => {
    expect(FORBIDDEN_NAMES.test(name)).toBe(true);
  });

  it('have at most 400 lines', () => {
    const written = shipped.filter((file) => !file.endsWith('.generated.ts'));
    const long = written.filter((file) => readFileSync(join(root, file), 'utf8').split('\n').length > 400);
    expect(long).toEqual([]);
  });
});

describe('functions of shipped code', () => {
  /** Whether the linter accepts a function of this many lines in a file at this path. */
  function isAccepted(file: string, lines: number): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'misstep-lint-'));
    try {
      cpSync(join(root, 'biome.json'), join(folder, 'biome.json'));
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      const statements = '  step();\n'.repeat(lines);
      writeFileSync(join(folder, file), `export function long(): void {\n${statements}}\n\nfunction step(): void {}\n`);
      const linter = join(root, 'node_modules/.bin/biome');
      return spawnSync(linter, ['lint', '--vcs-enabled=false', file], { cwd: folder }).status === 0;
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  }

  it('have at most 110 lines, which the linter enforces', () => {
    expect(isAccepted('src/app/long.ts', 110)).toBe(true);
    expect(isAccepted('src/app/long.ts', 111)).toBe(false);
    expect(isAccepted('src/web/views/long.tsx', 111)).toBe(false);
    expect(isAccepted('src/app/long.test.ts', 111)).toBe(true);
  });
});
