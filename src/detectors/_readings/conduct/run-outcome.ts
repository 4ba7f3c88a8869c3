import { lazy } from '../../_kit/memoize.ts';
import { hasFailed, outputText, type ToolUse } from '../calls/calls.ts';
import { countsIn } from './test-output.ts';

/** Exit code that agent programs report at a fixed place: in `<returncode>`, or in the first or last lines of the result. */
const RETURN_TAG = /<returncode>(-?\d{1,5})<\/returncode>/;
const RETURN_LINE =
  /^(?:\s{0,4}(?:Process |Command )?(?:exit(?:ed)?(?: with)?(?: code| status)?:? (-?\d{1,5})|exitcode: (-?\d{1,5}))\b)/im;
const FAILED_SUMMARY =
  /\b[1-9]\d{0,6} (?:failed|failing|failures?|errors?)\b|^FAILED\b|\bFAILED \(|\bfailures=[1-9]|\berrors=[1-9]|Tests:\s{1,4}[1-9]\d{0,6} failed|^\s{0,8}--- FAIL\b|^FAIL\b|test result: FAILED|^(?:ℹ|#) fail [1-9]|^not ok \d|^(?:g?make|mingw32-make)(?:\[\d{1,3}\])?: \*\*\* \[/gm;
const PASSED_SUMMARY =
  /\b[1-9]\d{0,6} (?:passed|passing|tests? passed)\b|^OK\b|^PASS\b|^ok\s{1,4}\S{1,200}\s|^\s{0,8}--- PASS\b|test result: ok|\b[Aa]ll tests passed\b|^(?:ℹ|#) fail 0$|\b[1-9]\d{0,6} examples?, 0 failures\b/gm;
/** A line in which a script states the result of its tests or checks in words. */
const STATED_FAILED =
  /\b(?:unit )?(?:tests?|checks?|test cases?|assertions?)(?: (?:have|has|did|do|does|are|is|were|was))?(?: (?:failed|failing|not pass(?:ed)?)\b|n't pass\b)/i;
/** `Failed 3/7 test cases`, `failed 3 of 7 checks`. */
const COUNTED_FAILED =
  /\bfailed [1-9]\d{0,5}(?: ?(?:\/|of|out of) ?\d{1,6})? (?:unit )?(?:tests?|checks?|test cases?|assertions?)\b/i;
const STATED_PASSED =
  /\ball (?:\w{1,20} ){0,3}(?:tests?|checks?|test cases?|assertions?)(?: (?:have|were|are))? pass(?:ed|ing)?\b/i;
const NOT_ALL_PASSED =
  /\b(?:not all|not every|some|none) (?:\w{1,20} ){0,3}(?:tests?|checks?|test cases?|assertions?)(?: (?:have|were|are))? pass/i;
const COUNTS_NONE = /\b(?:no|0|zero|none of the) (?:unit )?(?:tests?|checks?|test cases?|assertions?)\b|\bif\b/i;
const MAX_STATEMENT_LENGTH = 200;
/** Messages that the tool could not be started: nothing was tested. */
const NOT_STARTED =
  /command not found|: not found$|No module named (?:pytest|nose|tox)|No such file or directory|not recognized as|cannot find|can't open file/im;
const NOT_STARTED_CODES = new Set([126, 127]);
/** Messages of runners that found no test to run: a mistyped path, a filter without a match, an unknown option or task. */
const NO_TESTS =
  /^(?:\s{0,4}|=+ )(?:ERROR: (?:file or directory not found|not found|usage|wrong expression)|(?:Error: |✗ ?)?no tests? (?:ran|found|files? found|were executed)\b|collected 0 items$|Ran 0 tests\b|Could not find '[^'\n]{1,200}'$|(?:npm (?:ERR!|error)|ERR_PNPM_NO_SCRIPT|error:?) {1,4}Missing script\b|error: Script not found\b|(?:g?make|mingw32-make)(?:\[\d{1,3}\])?: \*\*\* No rule to make target\b|error: Justfile does not contain recipe\b|Task '[^'\n]{1,80}' not found in\b)/im;
/** Exit codes of pytest for a usage error and for no collected test. */
const PYTEST_NO_TESTS = new Set([4, 5]);
const PYTEST = /\b(?:pytest|py\.test)\b/;
/** Commands whose exit status is not that of the tests: the last program of a pipe, or a program that follows. */
const MASKS_EXIT_CODE = /\|(?!\|)|\|\||;\s{0,4}\S|&\s{0,4}$/;
const PIPE_FAIL = /\bset -[a-z]{0,4}o? ?pipefail|\bpipefail\b/;

/** Last line of a failed run, written by the task runner. */
const RUNNER_FAILED =
  /^\s{0,2}(?:error: Recipe .{1,200} with exit code [1-9]\d{0,2}|error: script .{1,100} exited with code [1-9]\d{0,2}|ELIFECYCLE\s.{1,100})$/;
/** Last line of Node.js after an uncaught error, below the stack. */
const NODE_CRASHED = /^Node\.js v\d{1,3}\.\d{1,3}\.\d{1,3}/;
const STACK_LINE = /^\s{1,8}at \S/;

const READ_CHARACTERS = 3_000;
/** Number of lines at the end in which runners print the summary. */
const SUMMARY_LINES = 40;

/**
 * Result of a check or test run; null if unknown. The program's error flag and exit code take precedence, then the last
 * summary of the runner. Earlier lines are log content.
 */
export function runOutcome(use: ToolUse): boolean | null {
  const text = outputText(use);
  const summary = lastSummary(text);
  if (hasNoTests(use, text, summary)) return null;
  const code = reportedExitCode(use);
  const reported = use.outcome === null ? null : hasFailed(use.outcome);
  const hasFlagFailed = reported ?? (code === null ? null : code !== 0);
  if (hasFlagFailed !== null) return outcomeByReport(use, hasFlagFailed, code, summary, text);
  const ends = text.length > 2 * READ_CHARACTERS ? text.slice(0, READ_CHARACTERS) + text.slice(-READ_CHARACTERS) : text;
  if (NOT_STARTED.test(ends)) return null;
  if (endsInFailure(text)) return false;
  const counts = countsIn(text);
  if (counts !== null && counts.passed + counts.failed > 0) return counts.failed === 0;
  return summary ?? (use.isError ? false : null);
}

/** Whether a test runner found nothing to run, which is neither a passed nor a failed test. */
export function testedNothing(use: ToolUse): boolean {
  const text = outputText(use);
  return hasNoTests(use, text, lastSummary(text));
}

function hasNoTests(use: ToolUse, text: string, summary: boolean | null): boolean {
  if (summary !== null) return false;
  if (NO_TESTS.test(text.slice(0, READ_CHARACTERS)) || NO_TESTS.test(text.slice(-READ_CHARACTERS))) return true;
  return PYTEST_NO_TESTS.has(reportedExitCode(use) ?? 0) && PYTEST.test(use.command ?? '');
}

/** The exit code that the program or the result reports; null if neither does. */
export function reportedExitCode(use: ToolUse): number | null {
  return use.outcome?.exitCode ?? returnCode(outputText(use));
}

function outcomeByReport(
  use: ToolUse,
  hasFlagFailed: boolean,
  code: number | null,
  summary: boolean | null,
  text: string,
): boolean | null {
  if (hasFlagFailed) {
    const isNotStarted = NOT_STARTED_CODES.has(code ?? 0) || NOT_STARTED.test(text.slice(0, 300));
    return isNotStarted || summary === true ? null : false;
  }
  const isMasked =
    use.command !== null && MASKS_EXIT_CODE.test(withoutQuotes(use.command)) && !PIPE_FAIL.test(use.command);
  return isMasked ? (summary ?? true) : true;
}

function withoutQuotes(command: string): string {
  return command.replace(/'[^']*'|"[^"]*"/g, '""').replace(/2>&1|&>|>&/g, ' ');
}

/** Whether the last line reports that the run failed, for programs that return only output and no exit code. */
function endsInFailure(text: string): boolean {
  const lines = text.slice(-READ_CHARACTERS).trimEnd().split('\n');
  const last = lines.at(-1)!;
  if (NODE_CRASHED.test(last)) return lines.slice(-SUMMARY_LINES).some((line) => STACK_LINE.test(line));
  return RUNNER_FAILED.test(last);
}

/**
 * Whether the last line that states the result of tests in words says that they passed; null if no line does. A line of the
 * executed code, as a traceback quotes it, states nothing.
 */
export function statedVerdict(output: string, code: string): boolean | null {
  const line = statementIn(output, code);
  return line === undefined ? null : verdictIn(line);
}

/** The last line that states that tests failed; empty if the last statement is another one. */
export function statedFailure(output: string, code: string): string {
  const line = statementIn(output, code);
  return line !== undefined && verdictIn(line) === false ? line : '';
}

function statementIn(output: string, code: string): string | undefined {
  const written = lazy(() => new Set(code.split(/\n|\\n/).map((line) => line.trim())));
  const lines = output.slice(-READ_CHARACTERS).split('\n');
  return lines
    .map((line) => line.trim())
    .findLast((line) => line.length <= MAX_STATEMENT_LENGTH && verdictIn(line) !== null && !written().has(line));
}

function verdictIn(line: string): boolean | null {
  if (NOT_ALL_PASSED.test(line) || COUNTED_FAILED.test(line) || (STATED_FAILED.test(line) && !COUNTS_NONE.test(line)))
    return false;
  return STATED_PASSED.test(line) ? true : null;
}

/** Whether the last summary near the end reports success; null if there is no summary. */
function lastSummary(text: string): boolean | null {
  const lines = text
    .slice(-2 * READ_CHARACTERS)
    .split('\n')
    .filter((line) => !/^\s{0,4}Snapshots:/.test(line));
  const end = lines.slice(-SUMMARY_LINES).join('\n');
  const [failed, passed] = [lineOfLastMatch(end, FAILED_SUMMARY), lineOfLastMatch(end, PASSED_SUMMARY)];
  if (failed === -1 && passed === -1) return null;
  return passed > failed;
}

/** The line in which the last match starts: `2 failed, 7 passed` is one summary, and a failing one. */
function lineOfLastMatch(text: string, pattern: RegExp): number {
  let at = -1;
  for (const match of text.matchAll(pattern)) at = match.index;
  return at === -1 ? -1 : text.slice(0, at).split('\n').length;
}

const FIRST_LINES = 3;
/** Shell tools add lines about signals and background processes below the exit code. */
const LAST_LINES = 6;

function returnCode(text: string): number | null {
  const tag = RETURN_TAG.exec(text.slice(0, READ_CHARACTERS)) ?? RETURN_TAG.exec(text.slice(-READ_CHARACTERS));
  if (tag !== null) return Number(tag[1]);
  const lines = text.trim().split('\n');
  const found = RETURN_LINE.exec([...lines.slice(0, FIRST_LINES), ...lines.slice(-LAST_LINES)].join('\n'));
  return found === null ? null : Number(found[1] ?? found[2]);
}
