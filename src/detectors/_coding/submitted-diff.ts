import type { Trace } from '../../core/trace.ts';
import { codingWork } from '../_conduct/coding-work.ts';
import { carriesNothing } from '../_kit/argument-roles.ts';
import type { ToolUse } from '../_kit/calls.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { type DiffedFile, diffedFiles } from './unified-diff.ts';

/** The change that a run ended with, as its own last step shows it. */
export interface SubmittedDiff {
  step: number;
  /** Call that submitted it; null if it is in an answer or in a step of the workflow. */
  use: ToolUse | null;
  /** Empty if the call returned no diff at all. */
  files: readonly DiffedFile[];
}

/** A commit is handed in to others later, and shows no diff. */
const PUBLISHES = /\bgit (?:commit|push)\b|\bgh pr\b/;
/** Steps after the diff that close the run. */
const CLOSING_STEPS = 2;

/**
 * The diff that a call without an answer of its own (`submit`) returned, or that the last step gives as the result. Null
 * where no step shows how the change ended: most agents change the files and leave it at that.
 */
export const submittedDiff = memoizeByRef((trace: Trace): SubmittedDiff | null => {
  if (!trace.isSettled) return null;
  return bySubmission(trace) ?? byLastStep(trace);
});

function bySubmission(trace: Trace): SubmittedDiff | null {
  const work = codingWork(trace);
  const last = work.findLastIndex(({ kind }) => kind === 'submit');
  if (last === -1 || last < work.length - 1) return null;
  const { use } = work[last]!;
  if (use.command !== null && PUBLISHES.test(use.command)) return null;
  const files = diffedFiles(use.resultText);
  const isBlank = use.resultText.trim() === '' && !use.isError && isBare(use);
  return files.length > 0 || isBlank ? { step: use.step, use, files } : null;
}

/** A call that hands in the workspace has no argument that could be the answer. */
function isBare({ name, arguments: args, command }: ToolUse): boolean {
  return command === null && (args === name || carriesNothing(args));
}

function byLastStep({ steps }: Trace): SubmittedDiff | null {
  const last = steps.filter(({ kind, output }) => kind !== 'tool' && output.trim() !== '').slice(-CLOSING_STEPS);
  for (const step of last.reverse()) {
    if (!/^(?:diff --git|--- )/m.test(step.output)) continue;
    const files = diffedFiles(step.output);
    if (files.length > 0) return { step: step.index, use: null, files };
  }
  return null;
}
