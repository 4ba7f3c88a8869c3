import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');
/** Everything that the command, the types of detectors and their tests read. */
const COPIED = [
  'src/core',
  'src/detectors',
  'scripts/new',
  'scripts/generate-detection-types.ts',
  'biome.json',
  'package.json',
  'tsconfig.json',
];
const FOLDER = 'src/detectors/slow_answer';
const LIST = 'src/detectors/registry.ts';
const NAMES = 'src/core/detection-types.generated.ts';
let copy = '';

beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'misstep-new-'));
  for (const path of COPIED) cpSync(join(ROOT, path), join(copy, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  writeFileSync(
    join(copy, 'tsconfig.detector.json'),
    JSON.stringify({
      extends: './tsconfig.json',
      compilerOptions: { incremental: false, tsBuildInfoFile: null },
      include: [],
      files: [LIST, `${FOLDER}/detector.test.ts`],
    }),
  );
  const { status, stderr } = runNode('scripts/new/main.ts', 'detector', 'slow_answer');
  expect([status, stderr]).toEqual([0, '']);
});

afterAll(() => rmSync(copy, { recursive: true, force: true }));

function runNode(...args: string[]) {
  return spawnSync(process.execPath, args, { cwd: copy, encoding: 'utf8' });
}

function textsBelow(root: string): Map<string, string> {
  const files = ['src', 'scripts/new'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name)),
  );
  return new Map(files.map((file) => [file.slice(root.length + 1), readFileSync(file, 'utf8')]));
}

/** Lines that the copy has in addition; fails if another line differs. */
function addedLines(before: string, after: string): string[] {
  const old = before.split('\n');
  const added = after.split('\n').filter((line) => line !== old[0] || old.shift() === undefined);
  expect(old).toEqual([]);
  return added;
}

/** `file` and message of each error of the compiler. */
function typeErrors(): string[] {
  const { stdout } = runNode('node_modules/.bin/tsc', '-p', 'tsconfig.detector.json', '--pretty', 'false');
  return stdout.split('\n').filter((line) => line.includes('error TS'));
}

describe('npm run new -- detector NAME', () => {
  it('writes a folder, one line and its import in one list, and the names that are generated from the list', () => {
    const before = textsBelow(ROOT);
    const after = textsBelow(copy);
    const changed = [...after].filter(([file, text]) => before.get(file) !== text).map(([file]) => file);
    expect(changed.filter((file) => !file.startsWith(`${FOLDER}/`)).sort()).toEqual([NAMES, LIST]);
    expect(changed.filter((file) => file.startsWith(FOLDER))).toHaveLength(4);
    expect(addedLines(before.get(LIST)!, after.get(LIST)!)).toEqual([
      "import { slowAnswer } from './slow_answer/detector.ts';",
      '  slowAnswer,',
    ]);
    expect(addedLines(before.get(NAMES)!, after.get(NAMES)!)).toEqual(["  'slow_answer',"]);
  });

  it('needs no other change: style and types are right, its rows pass, and it is registered', () => {
    const style = runNode(
      'node_modules/.bin/biome',
      'check',
      '--vcs-enabled=false',
      '--error-on-warnings',
      FOLDER,
      LIST,
    );
    expect([style.status, style.stderr]).toEqual([0, '']);
    expect(typeErrors()).toEqual([]);
    const tests = runNode('node_modules/vitest/vitest.mjs', 'run', FOLDER, 'src/detectors/registry.test.ts');
    expect(tests.stdout).toMatch(/Test Files .*2 passed/);
  });

  it('rejects a name that exists', () => {
    const { status, stderr } = runNode('scripts/new/main.ts', 'detector', 'loop');
    expect([status, stderr]).toEqual([2, expect.stringContaining('loop exists')]);
  });

  it('a detector without its generated name is one type error, in its manifest', () => {
    const names = join(copy, NAMES);
    const complete = readFileSync(names, 'utf8');
    writeFileSync(names, complete.replace("  'slow_answer',\n", ''));
    expect(typeErrors()).toEqual([
      expect.stringMatching(/^src\/detectors\/slow_answer\/manifest\.ts\(.*"slow_answer"/),
    ]);
    writeFileSync(names, complete);
  });
});
