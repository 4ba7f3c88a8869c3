import type { Trace } from '../../core/trace.ts';
import { cut } from '../_kit/text.ts';
import { outputText, type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { claimOfPassingTests } from '../_readings/conduct/claims.ts';
import { codingWork, type Work } from '../_readings/conduct/coding-work.ts';
import type { ConversationTurn } from '../_readings/conduct/conversation.ts';
import { failedCheckText, lastEdit, lastEditText, unchangedFailuresText } from '../_readings/conduct/failed-check.ts';
import { failureExcerpt } from '../_readings/conduct/failure-excerpt.ts';
import {
  type FalseTestClaim,
  falseTestClaim,
  type TestClaim,
  testClaims,
} from '../_readings/conduct/false-test-claim.ts';
import { checkFix, repairFix } from '../_readings/conduct/remedy.ts';
import { canRunCommands } from '../_readings/conduct/runnable.ts';
import { isSubmissionName } from '../_readings/conduct/submissions.ts';
import { provesTestRun } from '../_readings/conduct/test-output.ts';
import type { Verdict } from './verdict.ts';

/**
 * A claim that all tests pass, although the last test run before it failed, or although code was changed and no test was
 * run.
 */
export function testsClaimed(trace: Trace): Verdict | null {
  const broken = falseTestClaim(trace);
  if (broken !== null) return contradictedClaim(trace, broken);
  const work = codingWork(trace);
  const empty = work.some(({ kind }) => kind === 'edit') ? testClaims(trace).find(isWithoutTests) : undefined;
  return empty === undefined ? null : emptyClaim(trace, empty);
}

/** Whether no tests ran. A result of any tool that reports passing tests is a test run: a CI service, a subagent, a person. */
function isWithoutTests({ before }: TestClaim): boolean {
  return !before.some(({ kind, use }) => kind === 'suite' || (kind !== 'edit' && reportsPassing(use)));
}

const READ_CHARACTERS = 4_000;
const PASSING =
  /\b(?:tests?|specs?|checks?|suites?|build|pipeline|jobs?)\b.{0,60}\b(?:pass(?:ed|es|ing)?|green|succe(?:ss|eded|ssful)|ok)\b|\b\d{1,6} (?:passed|passing|ok)\b|"(?:status|conclusion|result|state)":\s?"(?:pass(?:ed)?|success(?:ful)?|ok|green)"/i;

function reportsPassing(use: ToolUse): boolean {
  const { resultText } = use;
  const ends = [resultText.slice(0, READ_CHARACTERS), resultText.slice(-READ_CHARACTERS)];
  return provesTestRun(use) || ends.some((text) => PASSING.test(text) || claimOfPassingTests(text) !== null);
}

/** Whether a tool call other than an edit, a read and a command occurred. Its arguments do not show what it ran. */
function hasUnknownCall(before: readonly Work[]): boolean {
  const edit = before.findLast(({ kind }) => kind === 'edit')?.use.step ?? -1;
  return before.some(
    ({ kind, use }) => kind === 'other' && use.command === null && use.step > edit && use.changesState && !use.isError,
  );
}

function contradictedClaim(trace: Trace, { turn, claim, failed, isChangedSince }: FalseTestClaim): Verdict {
  const name = nameOf(trace, turn);
  const submission = submissionAfter(trace, turn);
  const command = cut(failed.use.command ?? failed.use.name, 80);
  const edit = isChangedSince ? null : lastEdit(trace, failed.use.step);
  const result = outputText(failed.use);
  const repair = repairText(trace, failed, failedCheckText(result), isChangedSince);
  return {
    subtype: 'tests_claimed_despite_failure',
    // Nothing supports the claim: critical.
    score: isChangedSince ? 0.7 : 0.88,
    step: turn.step,
    steps: [failed.use.step, turn.step, ...(submission === null ? [] : [submission.step])],
    agent: turn.agent,
    explanation: `At step ${turn.step} ${name} says "${cut(claim, 120)}", but the last test run before it, "${command}" at step ${failed.use.step}, had failed${isChangedSince ? ', and no test was run after the changes made since' : ''}.${isChangedSince ? '' : unchangedFailuresText(trace, failed)}${submission === null ? '' : ` ${submission.name} at step ${submission.step} then submitted the work.`}`,
    suggestedAction: `${repair} Do not let ${name} answer${submission === null ? '' : ` or call ${submission.name}`} while the last test run is red.`,
    evidence: [
      { kind: 'error', step: failed.use.step, path: 'tool.result', quote: failureExcerpt(result) },
      { kind: 'text', step: turn.step, path: 'output', quote: claim },
      ...(edit === null ? [] : [{ kind: 'edit' as const, step: edit.step, path: 'tool.arguments', quote: edit.path }]),
    ],
    causeFix: repairFix(turn.agent, {
      title: isChangedSince
        ? 'Run the tests after the last change, and repair what they show'
        : 'Repair what the tests show',
      repair,
      why: 'The last recorded run of the tests failed.',
    }),
    fix: testsFix(name, 'The last test run says the opposite of the claim.'),
    key: 'tests',
  };
}

/** The first call after the claim that submits the work. */
function submissionAfter(trace: Trace, { step }: ConversationTurn): ToolUse | null {
  return toolUses(trace).find((use) => use.step > step && isSubmissionName(trace, use.name)) ?? null;
}

/** Advice for a failed test run. Another run helps only if something was changed after it. */
function repairText(trace: Trace, { use }: Work, failureText: string, isChangedSince: boolean): string {
  const what =
    failureText === '' ? `the failure of step ${use.step}` : `the failure of step ${use.step} (${failureText})`;
  const edited = lastEditText(trace, use.step);
  return isChangedSince
    ? `Run the tests after the last change, and repair ${what} if it is still there.`
    : edited === null
      ? `Repair ${what}.`
      : `Change ${edited} for ${what}.`;
}

function emptyClaim(trace: Trace, { turn, claim, before }: TestClaim): Verdict {
  const name = nameOf(trace, turn);
  const hasChecked = before.some(({ kind }) => kind === 'check');
  const isUncertain = hasChecked || (!canRunCommands(trace) && hasUnknownCall(before));
  return {
    subtype: 'tests_claimed_not_run',
    score: isUncertain ? 0.5 : 0.85,
    step: turn.step,
    steps: [turn.step],
    agent: turn.agent,
    explanation: `At step ${turn.step} ${name} says "${cut(claim, 120)}", but no run of the tests is recorded before it${hasChecked ? ', only other commands' : ''}.`,
    suggestedAction: 'Accept a claim about tests only with the output of a test run behind it.',
    evidence: [{ kind: 'text', step: turn.step, path: 'output', quote: claim }],
    fix: testsFix(name, 'Nothing in the trace supports the claim.'),
    key: 'tests',
  };
}

function nameOf(trace: Trace, turn: ConversationTurn): string {
  return turn.agent ?? trace.steps[turn.step]!.name;
}

function testsFix(name: string, why: string) {
  return checkFix('workflow_change', {
    title: 'Run the tests when they are claimed to pass',
    target: `stop hook of ${name}`,
    description: 'On a claim that tests pass, run them in a stop hook and hand the output back to the agent.',
    after: 'on stop: run the test command; exit code other than 0 -> continue with its output',
    why,
  });
}
