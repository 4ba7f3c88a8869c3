import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isCompleteAfter, recordedWord } from '../_kit/completeness.ts';
import { counted, stepsText } from '../_kit/text.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { EDITING_NAME } from '../_readings/coding/rejected-edits.ts';
import { failedTestNames } from '../_readings/coding/test-names.ts';
import { answerLine } from '../_readings/conduct/answer-line.ts';
import { type Attempt, workAttempts } from '../_readings/conduct/attempts.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import { expectedFailures } from '../_readings/conduct/expected-failures.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { probedFailures } from '../_readings/conduct/probed-failures.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { provesTestRun } from '../_readings/conduct/test-output.ts';
import { needsAnswer } from './abandoned-run.ts';
import { causeShareText, commonFailure, earlierWithCause, failureEvidence } from './failed-attempts.ts';
import type { Verdict } from './verdict.ts';

const MIN_FAILURES = 3;

/**
 * All last calls since the last user message failed, in more than one way, and the run ended. Equal failures are a loop and
 * are reported as one.
 */
export function endedOnFailures(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || !needsAnswer(trace)) return null;
  const failures = lastFailures(trace);
  const rounds = failures.filter(
    ({ messageId }, at) => messageId === null || failures[at - 1]?.messageId !== messageId,
  );
  if (rounds.length < MIN_FAILURES || new Set(failures.map(({ answer }) => answer)).size < 2) return null;
  const expected = new Set([...expectedFailures(trace), ...probedFailures(trace)].map(({ step }) => step));
  if (failures.every(({ step }) => expected.has(step))) return null;
  const [first, last] = [failures[0]!, failures.at(-1)!];
  if (!isCompleteAfter(trace, first.step)) return null;
  const shown = commonFailure(trace, failures);
  const advice = adviceAt(trace, shown.step);
  const earlier = advice === null ? [] : earlierWithCause(trace, first.step, advice);
  const edits = appliedEdits(trace, failures);
  const isPlain = advice === null || advice.obstacle.kind === 'result';
  const isAnswered = trace.steps.some(
    ({ index, kind, output }) => index > last.step && kind === 'llm' && output.trim() !== '',
  );
  const isWholeRun = edits === null && failures.length === workAttempts(trace).length;
  const isCritical = isWholeRun && !isAnswered && rounds.length >= MIN_CRITICAL_FAILURES;
  const end = isAnswered ? ', and the run ended with an answer' : ', and the run ended there';
  return {
    subtype: 'ended_on_failures',
    // An answer after the failures may report them, for example if the user asked whether something fails or exists.
    score: isAnswered ? 0.5 : isCritical ? 0.9 : Math.min(0.85, 0.68 + 0.03 * (rounds.length - MIN_FAILURES)),
    step: earlier[0]?.requestedAt ?? first.requestedAt,
    steps: failures.map(({ step }) => step),
    agent: last.agent,
    explanation:
      edits !== null
        ? `${edits.text} No call after that worked${end}.`
        : `${seriesText(trace, failures, isWholeRun)}${causeShareText(trace, failures, shown, advice)}${earlierText(earlier)}${isWholeRun ? ` No ${recordedWord(trace)}call of the run worked${end}.` : ` No call after that worked${end}.`}`,
    ...(isWholeRun ? { title: `All ${recordedWord(trace)}calls of the run failed` } : {}),
    ...(isCritical
      ? { businessImpact: `No ${recordedWord(trace)}call worked, and there is no answer: the task is not done.` }
      : {}),
    suggestedAction: `${edits !== null ? edits.advice : isPlain ? `Have ${last.agent ?? 'the agent'} correct what ${shown.by} returned at step ${shown.step}: "${answerLine(shown.result)}".` : advice.remedy} End the run as failed if that is the last result.`,
    evidence: failureEvidence(trace, [first, ...failures.slice(-2)]),
    ...(edits !== null || isPlain ? {} : { causeFix: advice.fix }),
    fix: checkFix('workflow_change', {
      title: 'Do not end as a success after a series of failures',
      target: `end of the run of ${last.agent ?? 'the agent'}`,
      description:
        'When the last three calls failed, end the run with the status of a failure, or hand it to a person with the last error.',
      after: 'on stop: if the last three calls failed, report the run as failed with the last error',
      why: 'The caller cannot distinguish this run from one that worked.',
    }),
    key: last.by,
  };
}

/** A shorter run may be a first attempt that its caller repeats. */
const MIN_CRITICAL_FAILURES = 6;

/** One sentence with a leading space about earlier calls with the same cause. */
function earlierText(earlier: readonly ToolUse[]): string {
  return earlier.length === 0 ? '' : ` The same applies to ${stepsText(earlier.map(({ step }) => step))}.`;
}

function seriesText(trace: Trace, failures: readonly Attempt[], isWholeRun: boolean): string {
  const [first, last] = [failures[0]!, failures.at(-1)!];
  const [firstLine, lastLine] = [answerLine(first.result), answerLine(last.result)];
  const tools = [...new Set(failures.map(({ by }) => by))].slice(0, 3).join(', ');
  const place = `(${tools}, steps ${first.step} to ${last.step})`;
  const failed = isWholeRun
    ? `All ${counted(failures.length, `${recordedWord(trace)}call`)} of the run ${place} failed`
    : `The last ${counted(failures.length, 'call')} of the run ${place} all failed`;
  const shown =
    firstLine === lastLine
      ? 'the first and the last one with'
      : `the first one with "${firstLine}" and the last one with`;
  const equal =
    failures.length - 1 - failures.findLastIndex(({ request, by }) => request !== last.request || by !== last.by);
  return `${failed}, ${shown} "${lastLine}".${equal > 1 && equal < failures.length ? ` The last ${equal} calls are equal.` : ''}`;
}

function lastFailures(trace: Trace): Attempt[] {
  const turn = lastUserTurn(trace)?.step ?? -1;
  const own = workAttempts(trace).filter(({ step }) => step > turn);
  const worked = own.findLastIndex(({ hasFailed }) => hasFailed !== true);
  return own.slice(worked + 1);
}

/**
 * Texts for calls that apply an edit and then run the tests: the edits were applied, and the tests failed. Null for other
 * calls.
 */
function appliedEdits(trace: Trace, failures: readonly Attempt[]): { text: string; advice: string } | null {
  const uses = failures.map(({ step }) => toolUses(trace).find((use) => use.step === step));
  if (
    !uses.every((use) => use !== undefined && use.command === null && EDITING_NAME.test(use.name) && hasRunTests(use))
  )
    return null;
  const [first, last] = [failures[0]!, failures.at(-1)!];
  const named = failures.map(({ result }) => new Set(failedTestNames(result)));
  const same = [...named[0]!].filter((name) => named.every((names) => names.has(name)));
  const tests =
    same.length === 0
      ? 'tests failed'
      : `${same.length === 1 ? 'the test' : 'the tests'} ${same.slice(0, MAX_TESTS).join(', ')}${same.length > MAX_TESTS ? ` and ${same.length - MAX_TESTS} more` : ''} failed`;
  const counts = COUNTS.exec(last.result.slice(-READ_CHARACTERS))?.[0];
  const line = answerLine(last.result);
  return {
    text: `The last ${counted(failures.length, 'edit')} (${last.by}, steps ${first.step} to ${last.step}) were applied, and after each of them ${tests}${counts === undefined ? '' : ` (${counts} at step ${last.step})`}: "${line}".`,
    advice: `Have ${last.agent ?? 'the agent'} find out why ${same.length === 0 ? 'the tests fail' : `${same[0]} fails`} ("${line}") before the next edit, and compare with the result without the edits.`,
  };
}

const MAX_TESTS = 3;
const READ_CHARACTERS = 4_000;
const COUNTS = /\b\d{1,6} passed, \d{1,6} failed\b|\b\d{1,6} failed, \d{1,6} passed\b/;

function hasRunTests(use: ToolUse): boolean {
  return provesTestRun(use) || COUNTS.test(use.resultText.slice(-READ_CHARACTERS));
}
