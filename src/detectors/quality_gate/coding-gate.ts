import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { counted, cut } from '../_kit/text.ts';
import { outputText } from '../_readings/calls/calls.ts';
import { codingWork, editsTestsOnly, type Work } from '../_readings/conduct/coding-work.ts';
import { failedCheckText, lastEdit, lastEditText, unchangedFailuresText } from '../_readings/conduct/failed-check.ts';
import { failureExcerpt } from '../_readings/conduct/failure-excerpt.ts';
import { checkFix, repairFix } from '../_readings/conduct/remedy.ts';
import { testedNothing } from '../_readings/conduct/run-outcome.ts';
import { canRunCommands } from '../_readings/conduct/runnable.ts';
import { hasSuite } from '../_readings/conduct/test-commands.ts';
import { editsTextsOnly } from '../_readings/conduct/text-edits.ts';
import { isExplained, lastAnswer } from './explained-failure.ts';
import type { GateGap } from './gap.ts';
import { workOnChange } from './put-aside.ts';

/** Scores by how often such coding runs failed in the labelled data. */
const SCORE = {
  nothing_run: 0.75,
  /** A change of a few lines is often right without a test run. */
  nothing_run_small: 0.5,
  failing_after_edit: 0.62,
  /** A failing test may be the requested result. */
  failing_new_tests: 0.5,
  unverified_change: 0.5,
  suite_never_run: 0.46,
  failing: 0.4,
};

/** The most significant gap in a run that changed code; null if the change was tested and passed. */
export function codingGap(trace: Trace): GateGap | null {
  const work = workOnChange(codingWork(trace));
  const edits = work.filter(({ kind, use }) => kind === 'edit' && !editsTextsOnly(use));
  const lastEdit = edits.at(-1);
  if (lastEdit === undefined || !isSubmitted(trace, work)) return null;
  const runs = work.filter(({ kind }) => kind === 'suite' || kind === 'check');
  const suites = runs.filter(({ kind }) => kind === 'suite');
  const tested = runs.filter(({ use }) => !testedNothing(use));
  const after = tested.filter(({ use }) => use.step > lastEdit.use.step);
  const isUnchecked = (runs.at(-1)?.use.step ?? -1) < lastEdit.use.step;
  if (runs.length === 0) return canRunCommands(trace) ? nothingRun(edits) : null;
  if (isUnchecked && suites.length === 0) return unverifiedGap(edits, lastEdit);
  const failing = suites.filter(({ hasPassed }) => hasPassed !== null).at(-1);
  // A program that ends with an error may do what it should; only a test says that it is wrong.
  const lastSuite = after.findLast(({ kind }) => kind === 'suite');
  const isLeftFailing = lastSuite !== undefined && after.every(({ hasPassed }) => hasPassed === false);
  const left = isLeftFailing ? lastSuite : failing?.hasPassed === false && tested.at(-1) === failing ? failing : null;
  if (left !== null) {
    if (isExplained(trace, left)) return null;
    const score = edits.every(({ use }) => editsTestsOnly(use)) ? SCORE.failing_new_tests : SCORE.failing_after_edit;
    return failingLeft(trace, left, isLeftFailing ? score : SCORE.failing);
  }
  return suites.length === 0 && hasSuite(trace) ? neverRun(edits, lastEdit) : null;
}

/** Whether the work was submitted. A run that was cut off has not skipped its gate. */
function isSubmitted(trace: Trace, work: readonly Work[]): boolean {
  if (!isWhole(trace) || trace.status === 'error') return false;
  const end = trace.codingSession?.endedBy;
  // Some sources record the end of a session without the answer.
  if (end === 'completed') return true;
  if (end !== undefined && end !== 'unknown') return false;
  const last = work.at(-1);
  return (
    last?.kind === 'submit' || trace.steps.some((step) => step.kind === 'llm' && step.index > (last?.use.step ?? 0))
  );
}

const SMALL_CHANGE_CHARACTERS = 600;

function nothingRun(edits: readonly Work[]): GateGap {
  const last = edits.at(-1)!;
  const written = edits.reduce((sum, { use }) => sum + use.argumentsText.length, 0);
  return {
    ...at(last, edits),
    subtype: 'nothing_run',
    score: written < SMALL_CHANGE_CHARACTERS ? SCORE.nothing_run_small : SCORE.nothing_run,
    explanation: `${changesBy(edits)} and the run ended with an answer, but no test, program or build was run in the whole run, although a tool for it was available; the last change was made with ${last.use.name} at step ${last.use.step}.`,
    suggestedAction: 'Run the tests, a type check or a build before the change is submitted.',
  };
}

function unverifiedGap(edits: readonly Work[], last: Work): GateGap {
  return {
    ...at(last, [last]),
    subtype: 'unverified_change',
    score: SCORE.unverified_change,
    explanation: `After the last change with ${last.use.name} at step ${last.use.step}, nothing was run, and the existing tests were never run. ${changesBy(edits)} in this run.`,
    suggestedAction: 'Run the tests again after the last change.',
  };
}

function neverRun(edits: readonly Work[], last: Work): GateGap {
  return {
    ...at(last, [last]),
    subtype: 'suite_never_run',
    score: SCORE.suite_never_run,
    explanation: `${changesBy(edits)}, the last with ${last.use.name} at step ${last.use.step}, and tried out with scripts only; the project's own tests were never run, so what the change breaks elsewhere is not known.`,
    suggestedAction: "Run the project's own tests for the changed files.",
  };
}

function failingLeft(trace: Trace, run: Work, score: number): GateGap {
  const { name, step } = run.use;
  const output = outputText(run.use);
  const shown = failedCheckText(output);
  const edited = lastEditText(trace, step);
  const answer = answerAfter(trace, step);
  const end = answer === null ? 'the run ended' : `the run ended with the answer at step ${answer}`;
  const what = `what step ${step} shows${shown === '' ? '' : ` (${shown})`}`;
  const repair = edited === null ? `Repair ${what}` : `Change ${edited} for ${what}`;
  return {
    ...at(run, [run]),
    // Running the tests is not the fault; ending the run after them is.
    step: answer ?? step,
    steps: answer === null ? [step] : [step, answer],
    evidenceStep: step,
    subtype: 'failing_tests_left',
    score,
    quote: failureExcerpt(output) || commandOf(run),
    path: 'tool.result',
    edit: lastEdit(trace, step),
    causeFix: repairFix(run.use.agent, {
      title: 'Repair what the tests show',
      repair: `${repair}.`,
      why: 'The last recorded run of the tests failed.',
    }),
    explanation: `The last run of the tests, with ${name} at step ${step}, failed ("${cut(commandOf(run), 80)}"), no later run of them is recorded, and ${end}.${unchangedFailuresText(trace, run)}`,
    suggestedAction: ASKS_FOR_TESTS.test(trace.task ?? '')
      ? `${repair}, and do not let the agent answer while the last test run is red.`
      : `${repair}, or say which failures were there before the change.`,
  };
}

/** Step of the last message of the agent after a step; null if none is recorded. */
function answerAfter(trace: Trace, step: number): number | null {
  return lastAnswer(trace, step)?.step ?? null;
}

/** If the task is about tests, earlier failures are part of it. Only affects the advice. */
const ASKS_FOR_TESTS = /\btests?\b/i;

function at(work: Work, all: readonly Work[]) {
  return {
    step: work.use.step,
    steps: all.map(({ use }) => use.step),
    agent: work.use.agent,
    quote: commandOf(work),
    path: 'tool.arguments',
    fix: gateFix(work),
    key: work.use.name,
  };
}

function commandOf({ use }: Work): string {
  return use.command ?? use.argumentsText;
}

function changesBy(edits: readonly Work[]): string {
  return `Code was changed ${counted(edits.length, 'time')}`;
}

function gateFix(work: Work) {
  return checkFix('workflow_change', {
    title: 'Do not finish before the tests have passed',
    target: `stop condition of ${work.use.agent ?? 'the agent'}`,
    description:
      'Before the run may end, let a hook run the tests of the changed files and hand their failures back to the agent.',
    after:
      'on stop: if files changed since the last passing test run, run the tests; when they fail, continue with their output',
    why: 'A rule in the prompt is forgotten at the end of a long run; a gate is not.',
  });
}
