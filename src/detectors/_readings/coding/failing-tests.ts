import type { Trace } from '../../../core/trace.ts';
import { outputText } from '../calls/calls.ts';
import { codingWork, type Work } from '../conduct/coding-work.ts';
import { failedTestNames } from './test-names.ts';

/** A test that failed in several runs. */
export interface FailingTest {
  /** Name as the runner prints it. Null if the output names no test; the same output then identifies the failure. */
  name: string | null;
  command: string;
  agent: string | null;
  /** Steps of the runs in which the test failed. Each run follows an edit, and no run between them passed. */
  runs: number[];
  /** Steps of the edits between those runs. */
  edits: number[];
  /** Whether the test passed in a later run. */
  isSolved: boolean;
}

/**
 * Tests that failed at least twice with an edit in between, ordered by number of runs, descending. One entry per test and
 * command.
 */
export function failingTests(trace: Trace): FailingTest[] {
  const work = codingWork(trace);
  const open = new Map<string, FailingTest>();
  const found: FailingTest[] = [];
  const edits = work.filter(({ kind }) => kind === 'edit').map(({ use }) => use.step);
  work.forEach((each) => {
    if (each.kind !== 'suite' || each.hasPassed === null) return;
    if (each.hasPassed) closePassedTests(open, found, each);
    else for (const name of namesIn(each)) recordFailure(open, each, name, edits);
  });
  const all = [...found, ...open.values()].map((test) => ({ ...test, edits: editsBetween(work, test.runs) }));
  return withoutDuplicates(all.filter(({ runs, edits }) => runs.length > 1 && edits.length > 0)).sort(
    (a, b) => b.runs.length - a.runs.length || a.runs[0]! - b.runs[0]!,
  );
}

/** Shorter output, such as `1 failed`, does not identify the failure. */
const MIN_OUTPUT_CHARACTERS = 40;

function namesIn({ use }: Work): (string | null)[] {
  const output = outputText(use);
  const names = failedTestNames(output);
  return names.length === 0 && output.length >= MIN_OUTPUT_CHARACTERS ? [null] : names;
}

/** A run counts only if a file was edited since the previous run: several calls can show the same run. */
function recordFailure(
  open: Map<string, FailingTest>,
  { use }: Work,
  name: string | null,
  edits: readonly number[],
): void {
  const command = use.command ?? use.name;
  const key = `${use.agent}\n${name ?? `$ ${command}\n${use.resultHash}`}`;
  const known = open.get(key);
  if (known === undefined)
    open.set(key, { name, command, agent: use.agent, runs: [use.step], edits: [], isSolved: false });
  else if (edits.some((edit) => edit > known.runs.at(-1)! && edit < use.step)) known.runs.push(use.step);
}

/** Commands that run all tests of a project. */
const WHOLE_SUITE =
  /\.\/\.\.\.|(?:^|[\s;&|])(?:make|mise run|just|task|npm(?: run)?|pnpm(?: run)?|yarn(?: run)?|bun(?: run)?) (?:tests?|check|ci|verify)(?=$|[\s;&|])|(?:^|[\s;&|])(?:pytest|cargo test|vitest run)\s{0,4}(?:$|[;&|])/;

/**
 * A passing run resolves the tests of its command, the tests that its output names, and all tests if it runs the whole
 * suite.
 */
function closePassedTests(open: Map<string, FailingTest>, found: FailingTest[], { use }: Work): void {
  const command = use.command ?? use.name;
  const runsWholeSuite = use.command !== null && WHOLE_SUITE.test(command);
  for (const [key, test] of open) {
    const isOwn = use.command !== null && test.command === command;
    if (!isOwn && !runsWholeSuite && !(test.name !== null && use.resultText.includes(test.name))) continue;
    found.push({ ...test, isSolved: true });
    open.delete(key);
  }
}

function editsBetween(work: readonly Work[], runs: readonly number[]): number[] {
  const [from, to] = [runs[0]!, runs.at(-1)!];
  return work.filter(({ kind, use }) => kind === 'edit' && use.step > from && use.step < to).map(({ use }) => use.step);
}

/** Tests that failed in exactly the same runs are one problem; only the first is kept. */
function withoutDuplicates(tests: readonly FailingTest[]): FailingTest[] {
  const seen = new Set<string>();
  return tests.filter(({ runs }) => {
    const key = runs.join(' ');
    return !seen.has(key) && seen.add(key);
  });
}
