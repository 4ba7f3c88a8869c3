import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, normalize, relative, resolve } from 'node:path';
import { type ImportGraph, isPureTest, isTestFile, testsOf } from './select-tests.ts';

/**
 * `npm run check -- FILE …`: style and types, then the nearest tests of these files. `--pure` instead of files runs every
 * test that starts no server, process or thread and opens no store.
 */
const root = resolve(import.meta.dirname, '../..');
const args = process.argv.slice(2);
const graph = readGraph(['src', 'bin', 'migrations', 'scripts', 'test']);
const isPureRun = args.includes('--pure');
const files = args.filter((arg) => !arg.startsWith('--')).map((file) => relative(root, resolve(file)));
const unknown = files.filter((file) => !graph.has(file));
if (unknown.length > 0) stop(`no such source file: ${unknown.join(', ')}`);
const tests = isPureRun
  ? [...graph.keys()].filter((file) => isTestFile(file) && isPureTest(file, graph))
  : testsOf(files, graph);
const codes = [
  isPureRun ? 0 : run('biome', ['check', '--error-on-warnings', ...files]),
  isPureRun ? 0 : run('tsc', ['--noEmit']),
  // The web page and the client have their own TypeScript project.
  files.some((file) => /^src\/(?:web|client)\//.test(file)) ? run('tsc', ['--noEmit', '--project', 'src/web']) : 0,
  tests.length === 0 ? noTests() : run('vitest', ['run', ...(isPureRun ? ['--reporter=dot'] : []), ...tests]),
];
process.exitCode = codes.find((code) => code !== 0) ?? 0;

function readGraph(folders: readonly string[]): ImportGraph {
  const found = folders.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name) && !entry.parentPath.includes('node_modules'))
      .map((entry) => relative(root, join(entry.parentPath, entry.name))),
  );
  return new Map(found.map((file) => [file, importsOf(file)]));
}

function importsOf(file: string): string[] {
  const text = readFileSync(join(root, file), 'utf8');
  // An import of types only starts nothing at run time.
  const values = text.replace(/^(?:import|export) type [^;]*;/gm, '');
  const specifiers = [...values.matchAll(/(?:\bfrom|\bimport\(|\bimport)\s*'([^']+)'/g)].map(
    ([, name]) => name as string,
  );
  return specifiers.map((name) => (name.startsWith('.') ? normalize(join(dirname(file), name)) : name));
}

function run(tool: string, toolArgs: readonly string[]): number {
  return spawnSync(join(root, 'node_modules/.bin', tool), toolArgs, { cwd: root, stdio: 'inherit' }).status ?? 1;
}

function noTests(): number {
  process.stderr.write('misstep: no test reaches these files\n');
  return 0;
}

function stop(text: string): never {
  process.stderr.write(`misstep: ${text}\n`);
  process.exit(2);
}
