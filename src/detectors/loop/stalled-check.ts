import type { Trace } from '../../core/trace.ts';
import { type Attempt, attemptsIn } from '../_conduct/attempts.ts';
import { conversation } from '../_conduct/conversation.ts';
import { isVersionSwitch } from '../_conduct/version-switch.ts';
import { words } from '../_kit/text.ts';

/** A check that gave the same answer to everything that was tried, up to the end of the run. */
export interface StalledCheck {
  /** The answers, in order; all equal. */
  runs: readonly Attempt[];
  /** What was changed or tried in between: calls of other tools, or different arguments of the check itself. */
  changes: number;
  /** Whether the arguments of the check were the same each time, and something else was changed. */
  isSameQuestion: boolean;
}

const FEWEST_RUNS = 3;
/** Where the form of the answer does not say that it is a failure: the agent itself goes on trying. */
const FEWEST_OPEN_RUNS = 4;
/** Attempts after the last answer that still count as the end: submission, leaving. */
const CLOSING_ATTEMPTS = 2;
/** A shorter answer, such as `1 failed`, does not say that it is the same failure. */
const TELLING_ANSWER = 20;

/** The check that was asked most often of those that never moved; null if there is none. */
export function findStalledCheck(trace: Trace): StalledCheck | null {
  if (!trace.isSettled) return null;
  const attempts = sinceLastTurn(trace);
  const found = [...sameQuestion(attempts), ...lastTries(trace, attempts)];
  return found.sort((a, b) => b.runs.length - a.runs.length)[0] ?? null;
}

/** What was tried since the user last said something: a user who asks again has a right to another try. */
function sinceLastTurn(trace: Trace): Attempt[] {
  const turn = conversation(trace).findLast(({ by }) => by === 'user')?.step ?? -1;
  return attemptsIn(trace).filter(({ step }) => step > turn);
}

/** The same check again after each change, and never another answer than the same failure. A look-up is no check. */
function sameQuestion(attempts: readonly Attempt[]): StalledCheck[] {
  const checks = attempts.filter(({ command, isLookup }) => command !== null || !isLookup);
  const groups = Map.groupBy(checks, ({ by, request: asked }) => `${by}\n${asked}`);
  return [...groups.values()].flatMap((asked) => {
    const runs = lastEqual(asked);
    if (runs.length < FEWEST_RUNS || runs.at(-1)!.hasFailed !== true || !isTelling(runs.at(-1)!)) return [];
    const changes = runs.slice(1).map((run, at) => changesBetween(attempts, runs[at]!, run));
    const moved = runs.filter((_, at) => at === 0 || changes[at - 1]! > 0);
    if (moved.length < FEWEST_RUNS || isLeftBehind(attempts, runs.at(-1)!)) return [];
    return [{ runs: moved, changes: changes.reduce((sum, each) => sum + each, 0), isSameQuestion: true }];
  });
}

/** The last attempts of the run: one tool, one answer, whatever was tried. */
function lastTries(trace: Trace, attempts: readonly Attempt[]): StalledCheck[] {
  const own = attempts.filter(({ isLookup }) => !isLookup);
  const last = own.at(-1);
  if (last === undefined || !isTelling(last)) return [];
  let from = own.length - 1;
  while (from > 0 && own[from - 1]!.by === last.by && own[from - 1]!.answer === last.answer) from -= 1;
  const runs = own.slice(from);
  const asked = new Set(runs.map((run) => run.request));
  if (asked.size < 2 || !(last.hasFailed === true ? runs.length >= FEWEST_RUNS : isStillTrying(trace, runs))) return [];
  return [{ runs, changes: asked.size, isSameQuestion: false }];
}

/** Verbs of tools whose answer is a receipt. */
const RECEIPTS = new Set(
  'write save update set put create insert add edit append send post store delete remove move upload'.split(' '),
);

/**
 * Whether the run ends while the agent tries versions of one thing, with its own step before each. A receipt is the same
 * each time, too, and a tool that fills or reads many things is asked about each.
 */
function isStillTrying({ steps }: Trace, runs: readonly Attempt[]): boolean {
  const last = runs.at(-1)!;
  if (
    runs.length < FEWEST_OPEN_RUNS ||
    last.hasFailed === false ||
    RECEIPTS.has(words(last.by.replaceAll('_', ' '))[0] ?? '')
  )
    return false;
  if (
    steps.some(
      ({ index, kind, output }) => index > last.step && (kind === 'llm' || kind === 'message') && output !== '',
    )
  )
    return false;
  return runs.slice(1).every((run, at) => {
    const before = runs[at]!;
    const hasThought = steps.slice(before.step + 1, run.step).some(({ kind }) => kind === 'llm');
    return hasThought && isVersionOf(before.request, run.request);
  });
}

const VERSION_SHARE = 0.4;

/** Whether two texts share so many of their words that one is a version of the other. */
function isVersionOf(one: string, other: string): boolean {
  const [a, b] = [new Set(words(one)), new Set(words(other))];
  const shared = [...a].filter((word) => b.has(word)).length;
  return shared >= VERSION_SHARE * Math.min(a.size, b.size);
}

function isTelling({ result }: Attempt): boolean {
  return result.trim().length >= TELLING_ANSWER;
}

function lastEqual(asked: readonly Attempt[]): Attempt[] {
  const last = asked.at(-1)!;
  let from = asked.length - 1;
  while (from > 0 && asked[from - 1]!.answer === last.answer) from -= 1;
  return asked.slice(from);
}

/** Attempts of another kind that changed something: a look-up and a failed attempt change nothing. */
function changesBetween(attempts: readonly Attempt[], one: Attempt, other: Attempt): number {
  return attempts
    .slice(attempts.indexOf(one) + 1, attempts.indexOf(other))
    .filter((each) => !each.isLookup && each.hasFailed !== true && (each.by !== one.by || each.request !== one.request))
    .filter((each) => !isVersionSwitch(each)).length;
}

/** Whether the run went on to something else that worked: then the check was not what it ended on. */
function isLeftBehind(attempts: readonly Attempt[], last: Attempt): boolean {
  const later = attempts.filter(({ step }) => step > last.step);
  return later.length > CLOSING_ATTEMPTS && later.some(({ isLookup, hasFailed }) => !isLookup && hasFailed !== true);
}
