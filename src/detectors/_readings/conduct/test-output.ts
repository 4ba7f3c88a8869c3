import { isJsonObject, type Json, parseJson } from '../../../core/json.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import type { ToolUse } from '../calls/calls.ts';

const READ_CHARACTERS = 4_000;
/** The counts of pytest, unittest and Playwright. */
const COUNTS =
  /^=+ .{0,80}\b\d{1,6} (?:passed|failed|errors?)\b.{0,80} in [\d.]{1,10} ?s|^(?:\d{1,6} (?:passed|failed)(?:, |$)){1,3}|^\d{1,6} (?:passed|failed)\b.{0,60} in [\d.]{1,10} ?s/m;
/**
 * Summaries of runners, each with a text that it contains, which is searched for first because that is fast: Go, pytest, unittest, Jest, Vitest, Node.js, TAP, Cargo, Mocha, RSpec, PHPUnit, JUnit, .NET, CTest, XCTest.
 */
const SUMMARY: readonly [cue: string, form: RegExp][] = [
  ['ok', /^ok\s{1,4}[\w./-]{1,200}\s+(?:\(cached\)|\d[\d.]{0,10}s)/m],
  ['--- ', /^\s{0,8}--- (?:PASS|FAIL): \S/m],
  [' passed', COUNTS],
  [' failed', COUNTS],
  [' error', COUNTS],
  [' test', /^Ran \d{1,6} tests? in [\d.]{1,10}s|^OK \(\d{1,6} tests?/m],
  ['Tests', /^\s{0,4}Tests:?\s{1,6}\d{1,6} (?:passed|failed)/m],
  [' passing', /^\s{0,4}\d{1,6} passing\b/m],
  [' failing', /^\s{0,4}\d{1,6} failing\b/m],
  [' pass ', /^(?:ℹ|#) pass \d{1,6}/m],
  [' fail ', /^(?:ℹ|#) fail \d{1,6}/m],
  ['ok ', /^(?:not )?ok \d{1,6}(?: -)? \S/m],
  ['test result: ', /test result: (?:ok|FAILED)\./],
  [' example', /^\d{1,6} examples?, \d{1,6} failures?/m],
  ['Tests', /^(?:\[\w{4,7}\] )?Tests run: \d{1,6}, +(?:Failures|Errors): \d|^Tests: \d{1,6}, Assertions: \d/m],
  ['! ', /^(?:Passed|Failed)! +- Failed: +\d{1,6}, Passed: +\d/m],
  ['% tests', /^\d{1,3}% tests passed, \d{1,6} tests failed out of \d/m],
  ['Executed', /Executed \d{1,6} tests?, with \d/],
];

/** A part of each form; most outputs have none. One pattern is several times faster than a search for each text. */
const ANY_CUE =
  /^(?:not )?ok\s|--- (?:PASS|FAIL)| passed| failed| error|Ran |OK \(|Tests| passing| failing| pass | fail |test result: |\d example|ed! |% tests|Executed/m;

/** Whether the output is that of a test runner, whatever the command is. */
export const provesTestRun = memoizeByRef(({ resultText }: Pick<ToolUse, 'resultText'>): boolean => {
  const start = resultText.slice(0, READ_CHARACTERS);
  const ends = resultText.length > READ_CHARACTERS ? [start, resultText.slice(-READ_CHARACTERS)] : [start];
  return ends.some(hasSummary) || countsIn(resultText) !== null;
});

function hasSummary(text: string): boolean {
  return ANY_CUE.test(text) && SUMMARY.some(([cue, form]) => text.includes(cue) && form.test(text));
}

/** The first line of a text that sums up a test run; null if no line does. */
export function testRunLine(text: string): string | null {
  const lines = text.slice(0, READ_CHARACTERS).split('\n');
  return lines.find(hasSummary)?.trim() ?? null;
}

/** Numbers of passed and failed tests of a result that has them in fields; null for other results. */
export function countsIn(text: string): { passed: number; failed: number } | null {
  if (!text.trimStart().startsWith('{') || text.length > READ_CHARACTERS) return null;
  const parsed = parseJson(text);
  if (!isJsonObject(parsed)) return null;
  const counts = [parsed, parsed.summary, parsed.stats, parsed.results].filter((one) => isJsonObject(one));
  for (const one of counts) {
    const passed = countOf(one.passed ?? one.numPassedTests ?? one.passes);
    const failed = countOf(one.failed ?? one.numFailedTests ?? one.failures);
    if (passed !== null && failed !== null) return { passed, failed };
  }
  return null;
}

function countOf(value: Json | undefined): number | null {
  if (Array.isArray(value)) return value.length;
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 ? value : null;
}
