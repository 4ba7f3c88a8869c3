#!/usr/bin/env node
// Runs on any Node >= 20 right after a clone: installs missing packages, finds the pinned Node and runs the task with it.
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const MIN_NODE = 20;
/** From this version on the Node of the system is used, otherwise the one in node_modules. */
const PINNED_NODE = [24, 15];

/** The Node that runs this file until the packages are installed. */
let node = process.execPath;

const TASKS = {
  start,
  test,
  'test:e2e': testPrograms,
  check,
  fix,
  build,
  dev,
  bench,
  soak,
  screenshots,
  evaluate,
  predict,
  calibrate,
  gauge,
  new: createNew,
  mutate,
};

const [task = 'help', ...rest] = process.argv.slice(2);
if (!(task in TASKS)) stop(`unknown task ${task}; there are: ${Object.keys(TASKS).join(', ')}`);
if (Number(process.versions.node.split('.')[0]) < MIN_NODE)
  stop(`Node ${MIN_NODE} or newer is needed, this is ${process.version}`);
process.chdir(root);
await installModules();
node = findNode();
process.exitCode = await TASKS[task](rest);

async function start(args) {
  const built = await buildIfStale();
  if (built !== 0) return built;
  return run(join(root, 'dist', 'misstep'), ['serve', ...args], { MISSTEP_OFFER_DEMO: '1' });
}

/** All steps run, so that one report shows all failures. */
async function test(args) {
  const codes = [await check(), await buildIfStale(), await runTests(args)];
  const code = codes.find((one) => one !== 0) ?? 0;
  const failed = ['lint, format and types', 'executable', 'tests'].filter((_, at) => codes[at] !== 0);
  log(code === 0 ? 'lint, types, executable and tests are in order' : `failed: ${failed.join('; ')}`);
  return code;
}

function runTests(args) {
  const report = process.env.MISSTEP_TEST_REPORT;
  const reporters = report ? ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`] : [];
  return step('tests', 'vitest', ['run', ...reporters, ...args]);
}

async function testPrograms(names) {
  const built = await buildIfStale();
  return built === 0 ? run(node, [join(root, 'scripts/e2e/main.ts'), ...names]) : built;
}

/** Checks everything, or only the named files and their nearest tests. */
async function check(args = []) {
  if (args.length > 0) return run(node, [join(root, 'scripts/check/main.ts'), ...args]);
  const codes = [
    await step('lint and format', 'biome', ['check', '--error-on-warnings']),
    await step('types', 'tsc', ['--noEmit']),
    await step('types of the web page', 'tsc', ['--noEmit', '--project', 'src/web']),
  ];
  return codes.find((code) => code !== 0) ?? 0;
}

function fix() {
  return step('fix', 'biome', ['check', '--write']);
}

function build() {
  return runBuild(sourcesDigest());
}

function dev(args) {
  return run(node, [join(root, 'scripts/dev.ts'), ...args]);
}

async function bench(args) {
  const built = await buildIfStale();
  return built === 0 ? run(node, [join(root, 'scripts/bench/main.ts'), ...args]) : built;
}

async function soak(args) {
  const built = await buildIfStale();
  const [first, ...others] = args;
  const script = first === 'tabs' ? ['scripts/soak/tabs/main.ts', ...others] : ['scripts/soak/main.ts', ...args];
  return built === 0
    ? run(
        node,
        script.map((part, at) => (at === 0 ? join(root, part) : part)),
      )
    : built;
}

async function screenshots(names) {
  const built = await buildIfStale();
  return built === 0 ? run(node, [join(root, 'scripts/screenshots.ts'), ...names]) : built;
}

function evaluate(args) {
  return run(node, [join(root, 'scripts/evaluate/main.ts'), ...args]);
}

function predict(args) {
  return run(node, [join(root, 'scripts/predict/main.ts'), ...args]);
}

function calibrate(args) {
  return run(node, [join(root, 'scripts/fit/main.ts'), ...args]);
}

function createNew(args) {
  return run(node, [join(root, 'scripts/new/main.ts'), ...args]);
}

/** Not part of `npm test`, because it takes minutes. */
function mutate(args) {
  return run(node, [join(root, 'scripts/mutate/main.ts'), ...args]);
}

/** Records the programs of the gauge again; their frameworks have a separate lockfile. */
async function gauge(args) {
  const folder = join(root, 'test', 'gauge');
  const installed = existsSync(join(folder, 'node_modules', '.package-lock.json'));
  const flags = ['--ignore-scripts', '--legacy-peer-deps', '--no-audit', '--no-fund', '--loglevel=error'];
  const code = installed ? 0 : await runNpm(['ci', '--prefix', folder, ...flags]);
  return code === 0 ? run(node, [join(folder, 'record.mjs'), ...args]) : code;
}

async function installModules() {
  const stampFile = join(root, 'node_modules', '.misstep-installed');
  const digest = digestOf(['package-lock.json']);
  if (existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest) return;
  if (arePackagesInstalled()) return;
  log('installing the packages of the lockfile (about a minute)');
  const npmArgs = [
    'ci',
    '--ignore-scripts',
    '--include=dev',
    '--include=optional',
    '--no-audit',
    '--no-fund',
    '--loglevel=error',
  ];
  const code = await runNpm(npmArgs);
  if (code !== 0) stop('the packages could not be installed; see the output of npm above', code);
  mkdirSync(dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, digest);
}

function runNpm(args) {
  const npm = process.env.npm_execpath;
  const isScript = npm !== undefined && /\.[cm]?js$/.test(npm);
  if (isScript) return run(process.execPath, [npm, ...args]);
  return run(process.platform === 'win32' ? 'npm.cmd' : 'npm', args);
}

/** npm's lockfile in node_modules lists what is installed, so an installation made by another tool is not changed. */
function arePackagesInstalled() {
  const installedLock = join(root, 'node_modules', '.package-lock.json');
  if (!existsSync(installedLock)) return false;
  const packagesOf = (file) => JSON.parse(readFileSync(file, 'utf8')).packages;
  const [{ '': _, ...locked }, there] = [packagesOf(join(root, 'package-lock.json')), packagesOf(installedLock)];
  return Object.entries(locked).every(([path, { integrity, optional, devOptional, libc, os, cpu }]) => {
    if (there[path]) return there[path].integrity === integrity;
    const isForOneMachine = (os !== undefined || cpu !== undefined) && libc === undefined;
    const isForThisMachine = isForOneMachine && accepts(os, process.platform) && accepts(cpu, process.arch);
    return (optional || devOptional) && !isForThisMachine;
  });
}

/** npm writes one name or a list; `!name` excludes. */
function accepts(list, name) {
  const names = [list ?? []].flat();
  if (names.includes(`!${name}`)) return false;
  return names.every((other) => other.startsWith('!')) || names.includes(name);
}

/** The pinned Node, with which the program is built, tested and shipped. */
function findNode() {
  const folder = `node-${process.platform}-${process.arch}`;
  const candidate = join(root, 'node_modules', folder, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (existsSync(candidate)) return candidate;
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > PINNED_NODE[0] || (major === PINNED_NODE[0] && minor >= PINNED_NODE[1])) return process.execPath;
  return stop(
    `there is no pinned Node for ${process.platform}-${process.arch}; install Node ${PINNED_NODE.join('.')} or newer`,
  );
}

async function buildIfStale() {
  const digest = sourcesDigest();
  const stampFile = join(root, 'dist', '.built');
  const isFresh =
    existsSync(join(root, 'dist', 'misstep')) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === digest;
  return isFresh ? 0 : runBuild(digest);
}

async function runBuild(digest) {
  const code = await step('executable', node, [join(root, 'scripts/build-executable.ts')]);
  if (code === 0) writeFileSync(join(root, 'dist', '.built'), digest);
  return code;
}

function sourcesDigest() {
  const files = ['src', 'bin', 'migrations', 'scripts/build'].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && !entry.name.endsWith('.test.ts'))
      .map((entry) => join(entry.parentPath ?? entry.path, entry.name)),
  );
  return digestOf([...files.sort(), 'scripts/build-executable.ts', 'LICENSE', 'package.json', 'package-lock.json']);
}

function digestOf(files) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const file of files) hash.update(`${file}\n`).update(readFileSync(resolve(root, file)));
  return hash.digest('hex');
}

async function step(title, command, args) {
  log(title);
  const code = await run(command === node ? node : tool(command), args);
  if (code !== 0) log(`${title}: failed`);
  return code;
}

function tool(name) {
  return join(root, 'node_modules', '.bin', process.platform === 'win32' ? `${name}.cmd` : name);
}

/** Resolves with the exit code, once the child has ended. */
function run(command, args, extra = {}) {
  const { NODE_ENV: _, ...environment } = process.env;
  const path = [dirname(node), environment.PATH].join(delimiter);
  const child = spawn(command, args, { stdio: 'inherit', env: { ...environment, PATH: path, ...extra } });
  const forward = (signal) => void child.kill(signal);
  // The terminal also sends Ctrl-C to the child; a second signal would make it skip its cleanup.
  const interrupt = process.stdin.isTTY ? () => {} : forward;
  process.on('SIGINT', interrupt).on('SIGTERM', forward).on('SIGHUP', forward);
  return new Promise((done) => {
    child.on('error', (error) => {
      log(`${command}: ${error.message}`);
      done(127);
    });
    child.on('exit', (code, signal) => done(code ?? 128 + constants.signals[signal]));
  }).finally(() => process.off('SIGINT', interrupt).off('SIGTERM', forward).off('SIGHUP', forward));
}

function log(text) {
  process.stderr.write(`misstep: ${text}\n`);
}

function stop(text, code = 1) {
  log(text);
  process.exit(code);
}
