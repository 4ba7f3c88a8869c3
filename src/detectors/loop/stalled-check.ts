import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd } from '../_kit/completeness.ts';
import { words } from '../_kit/text.ts';
import { type Attempt, attemptsIn } from '../_readings/conduct/attempts.ts';
import { expectedFailures } from '../_readings/conduct/expected-failures.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { probedFailures } from '../_readings/conduct/probed-failures.ts';
import { hasTextAfter } from '../_readings/conduct/run-end.ts';
import { isVersionSwitch } from '../_readings/conduct/version-switch.ts';

/** A check that returned the same result for every attempt, up to the end of the run. */
export interface StalledCheck {
  /** The runs of the check in order; all results are equal. */
  runs: readonly Attempt[];
  /** Changes and attempts in between: calls of other tools, or different arguments of the check itself. */
  changes: number;
  /** Whether the arguments of the check were always the same, and something else was changed. */
  isSameQuestion: boolean;
}

const MIN_RUNS = 3;
/** Minimum number of runs if the form of the result does not show a failure: the agent itself continues to try. */
const MIN_OPEN_RUNS = 4;
/** Attempts after the last result that still count as the end: a submission, leaving. */
const CLOSING_ATTEMPTS = 2;
/** A shorter result, such as `1 failed`, does not identify the failure. */
const MIN_CHARACTERS = 20;

/** The most frequent check that never returned another result; null if there is none. */
export function findStalledCheck(trace: Trace): StalledCheck | null {
  if (!hasKnownEnd(trace)) return null;
  const attempts = sinceLastTurn(trace);
  const found = [...sameQuestion(attempts), ...lastAttempts(trace, attempts)];
  return found.sort((a, b) => b.runs.length - a.runs.length)[0] ?? null;
}

/**
 * Attempts since the last user message: a repeated user request justifies another attempt. A failure that the user expects is the
 * result of a check.
 */
function sinceLastTurn(trace: Trace): Attempt[] {
  const turn = lastUserTurn(trace)?.step ?? -1;
  const expected = new Set([...expectedFailures(trace), ...probedFailures(trace)].map(({ step }) => step));
  return attemptsIn(trace).filter(({ step }) => step > turn && !expected.has(step));
}

/** The same check after each change, always with the same failure. A read is not a check. */
function sameQuestion(attempts: readonly Attempt[]): StalledCheck[] {
  const checks = attempts.filter(({ command, isLookup }) => command !== null || !isLookup);
  const groups = Map.groupBy(checks, ({ by, request: requests }) => `${by}\n${requests}`);
  return [...groups.values()].flatMap((requests) => {
    const runs = lastEqual(requests);
    if (runs.length < MIN_RUNS || runs.at(-1)!.hasFailed !== true || !isSpecific(runs.at(-1)!)) return [];
    const changes = runs.slice(1).map((run, at) => changesBetween(attempts, runs[at]!, run));
    const moved = runs.filter((_, at) => at === 0 || changes[at - 1]! > 0);
    if (moved.length < MIN_RUNS || isLeftBehind(attempts, runs.at(-1)!)) return [];
    return [{ runs: moved, changes: changes.reduce((sum, each) => sum + each, 0), isSameQuestion: true }];
  });
}

/** The last attempts of the run: one tool, one result, with different arguments. */
function lastAttempts(trace: Trace, attempts: readonly Attempt[]): StalledCheck[] {
  const own = attempts.filter(({ isLookup }) => !isLookup);
  const last = own.at(-1);
  if (last === undefined || !last.hasEffect || !isSpecific(last)) return [];
  let from = own.length - 1;
  while (from > 0 && own[from - 1]!.by === last.by && own[from - 1]!.answer === last.answer) from -= 1;
  const runs = own.slice(from);
  const requests = new Set(runs.map((run) => run.request));
  if (requests.size < 2 || !(last.hasFailed === true ? runs.length >= MIN_RUNS : isStillTrying(trace, runs))) return [];
  return [{ runs, changes: requests.size, isSameQuestion: false }];
}

/** Verbs of tools that return an acknowledgement. */
const ACKNOWLEDGED_VERBS = new Set(
  'write save update set put create insert add edit append send post store delete remove move upload'.split(' '),
);

/**
 * Whether the run ends while the agent tries versions of one thing, with a step of its own before each. Acknowledgements are always
 * the same, and a tool that fills in or reads many things is called for each of them.
 */
function isStillTrying(trace: Trace, runs: readonly Attempt[]): boolean {
  const last = runs.at(-1)!;
  if (
    runs.length < MIN_OPEN_RUNS ||
    last.hasFailed === false ||
    ACKNOWLEDGED_VERBS.has(words(last.by.replaceAll('_', ' '))[0] ?? '') ||
    hasTextAfter(trace, last.step)
  )
    return false;
  return runs.slice(1).every((run, at) => {
    const before = runs[at]!;
    const hasThought = trace.steps.slice(before.step + 1, run.step).some(({ kind }) => kind === 'llm');
    return hasThought && isVersionOf(before.request, run.request);
  });
}

const VERSION_SHARE = 0.4;

/** Whether two texts share enough words for one to be a version of the other. */
function isVersionOf(one: string, other: string): boolean {
  const [a, b] = [new Set(words(one)), new Set(words(other))];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared >= VERSION_SHARE * Math.min(a.size, b.size);
}

function isSpecific({ result }: Attempt): boolean {
  return result.trim().length >= MIN_CHARACTERS;
}

function lastEqual(requests: readonly Attempt[]): Attempt[] {
  const last = requests.at(-1)!;
  let from = requests.length - 1;
  while (from > 0 && requests[from - 1]!.answer === last.answer) from -= 1;
  return requests.slice(from);
}

/** Attempts of another kind that changed something; not reads and failed attempts. */
function changesBetween(attempts: readonly Attempt[], one: Attempt, other: Attempt): number {
  return attempts
    .slice(attempts.indexOf(one) + 1, attempts.indexOf(other))
    .filter((each) => each.hasEffect && each.hasFailed !== true && (each.by !== one.by || each.request !== one.request))
    .filter((each) => !isVersionSwitch(each)).length;
}

/** Whether other work succeeded afterwards: the run did not end on the check. */
function isLeftBehind(attempts: readonly Attempt[], last: Attempt): boolean {
  const later = attempts.filter(({ step }) => step > last.step);
  return later.length > CLOSING_ATTEMPTS && later.some(({ isLookup, hasFailed }) => !isLookup && hasFailed !== true);
}
