import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { baseName } from '../shell/file-path.ts';
import { writesWholeFile } from './call-acts.ts';

/** Name of a scratch file that the agent wrote to try something out. */
export const SCRATCH =
  /(?:^|[\s/"'=])(?:repro\w*|debug\w*|try_\w*|scratch\w*|tmp_?\w*|check_\w*|verify_\w*|fix_\w*|update_\w*|apply_\w*|patch_\w*|test_(?:repro|fix|issue)\w*)\.(?:py|js|ts|rb|go|sh|php|java)\b/i;

/** Programs that only run tests. */
const RUNNER =
  /(?:^|[\s;&|(/"'=])(?:pytest|py\.test|tox|nox|nosetests2?|runtests(?:\.py)?|vitest|jest|mocha|ava|rspec|minitest|phpunit|pest|ctest|bats|unittest|karma|cypress run|manage\.py test|setup\.py test|nextest|gotestsum|ginkgo|pre-commit run|playwright test|npm t|bin\/test|bin\/doctest)(?=$|[\s;&|):"'])/m;

/** Task runners and build tools. The name of the task says what they run. */
const TASK_RUNNERS: ReadonlySet<string> = new Set(
  (
    'mise just task make gmake nx turbo moon rake uv poetry hatch pdm bundle pipenv rye pixi npm pnpm yarn bun deno lerna ' +
    'rush go cargo mvn mvnw gradle gradlew dotnet swift mix rails bazel stack cabal sbt flutter dart composer zig lein ant ' +
    'invoke inv earthly dagger tilt meson ninja'
  ).split(' '),
);
/** `test`, `test:unit`, `unit-tests`, `check`, `verify`, `ci`, `shop:test`. */
const TEST_TASK =
  /^(?:[\w@/.-]{1,40}:)?(?:(?:unit|integration|e2e|run)[-_:])?(?:tests?|spec|check|verify|ci)(?:[:_-][\w:.-]{1,40})?$/;
/** Programs whose own `check` is no test: linters, formatters and type checkers. */
const LINTERS: ReadonlySet<string> = new Set(
  'ruff biome black isort prettier mypy pyright dmypy standard dprint'.split(' '),
);
/** `run`, options, their values and folders before the name of the task. */
const WORDS_BEFORE_TASK = 4;

/** `./run-tests.sh`, `scripts/check`, `bin/ci`. */
const TEST_SCRIPT =
  /^(?:\.{0,2}\/|scripts?\/|bin\/|tools\/|dev\/|ci\/)(?:[\w.-]{1,40}\/){0,4}(?:run[-_]?)?(?:all[-_])?(?:tests?|spec|check|ci|verify)(?:[-_][\w-]{1,30})?(?:\.(?:sh|bash|py|rb|js|mjs|cjs|ts|ps1))?$/;

/** Whether a command runs a test suite, by a test runner, a task runner or a script. */
function runsSuite(shell: string): boolean {
  return RUNNER.test(shell) || shell.split(/[;&|()\n]/).some((command) => namesSuite(command.split(/[\s"']/)));
}

/** @param words of one command */
function namesSuite(words: readonly string[]): boolean {
  const named = words.filter((word) => word !== '');
  return named.some((word, at) => {
    if (TEST_SCRIPT.test(word)) return true;
    const program = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('=')) + 1);
    const following = named.slice(at + 1, at + 2 + WORDS_BEFORE_TASK);
    if (program === 'node') return following.includes('--test');
    return (
      TASK_RUNNERS.has(program) && !runsOther(program, following) && following.some((task) => TEST_TASK.test(task))
    );
  });
}

/** `npm ci` installs packages; `uv run ruff check` runs a linter. */
function runsOther(program: string, following: readonly string[]): boolean {
  return (program === 'npm' && following[0] === 'ci') || following.some((word) => LINTERS.has(word));
}

/** A program that runs one file. It is a test if the name or folder of the file says so. */
const RUN_FILE =
  /(?:^|[\s;&|(/])(?:python3?|node|ruby|perl|php|deno run|bun|bun run|ts-node|tsx|lua|bash|sh)(?: --?[\w-]{1,30}(?:=\S{1,60})?){0,4} ["']?((?:[\w.~-]{0,60}\/){0,8}[\w.-]{1,80}\.(?:py|[cm]?[jt]s|rb|pl|php|lua|sh))\b/m;
const TEST_FILE =
  /(?:^|\/)(?:tests?|specs?|__tests__)\/|(?:^|\/)(?:tests?|spec)\.\w{2,3}$|(?:^|\/)tests?[-_.]|[-_.](?:tests?|spec)\.\w{2,3}$/i;

/** Whether the name or folder of a file marks it as a test. */
export function isTestFile(path: string): boolean {
  return TEST_FILE.test(path);
}

const MENTIONED_TEST =
  /(?:^|[\s"'`/=:,([])(?:tests?|specs?|__tests__)\/[\w./-]{1,120}|(?:^|[\s"'`/=:,([])(?:test_[\w-]{1,80}\.py|[\w.-]{1,80}[._-](?:test|spec)s?\.\w{1,4}|\w{1,80}Tests?\.(?:java|kt|cs|php|swift))\b/;
const SUITE_CHARACTERS = 20_000;

/** Whether the input or the results of the run show that the project has tests. */
export const hasSuite = memoizeByRef((trace: Trace): boolean => {
  const task = trace.task ?? '';
  return (
    MENTIONED_TEST.test(task.slice(0, SUITE_CHARACTERS)) ||
    toolUses(trace).some(
      ({ resultText, argumentsText }) =>
        MENTIONED_TEST.test(resultText.slice(0, SUITE_CHARACTERS)) ||
        MENTIONED_TEST.test(argumentsText.slice(0, SUITE_CHARACTERS)),
    )
  );
});

/** Whether a command runs tests of the project. Files that the agent wrote itself in this run do not count. */
export function runsTests(trace: Trace, use: ToolUse, shell: string): boolean {
  if (SCRATCH.test(shell)) return false;
  if (runsSuite(shell)) return true;
  const file = RUN_FILE.exec(shell)?.[1];
  if (file === undefined || !TEST_FILE.test(file)) return false;
  return /(?:^|\/)(?:tests?|specs?|__tests__)\//.test(file) || !isWrittenBefore(trace, baseName(file), use);
}

const WRITES = /(?:>|\btee\b)/;
const READ_COMMAND = 2_000;

/** Whether an earlier call wrote a whole file of this name. An edit changes an existing file. */
function isWrittenBefore(trace: Trace, name: string, { step }: ToolUse): boolean {
  return toolUses(trace).some((use) => {
    if (use.step >= step || use.isError) return false;
    if (use.command === null) return writesWholeFile(use) && use.argumentsText.includes(name);
    const command = use.command.slice(0, READ_COMMAND);
    return WRITES.test(command) && command.includes(name);
  });
}
