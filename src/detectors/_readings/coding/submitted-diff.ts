import type { Trace } from '../../../core/trace.ts';
import { hasKnownEnd } from '../../_kit/completeness.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { hasNoContent } from '../calls/argument-roles.ts';
import type { ToolUse } from '../calls/calls.ts';
import { codingWork } from '../conduct/coding-work.ts';
import { type DiffedFile, diffedFiles } from './unified-diff.ts';

/** The change that a run submits, as its own last step shows it. */
export interface SubmittedDiff {
  step: number;
  /** Call that submitted it; null if the diff is in an answer or in a workflow step. */
  use: ToolUse | null;
  /** Empty if the call returned no diff. */
  files: readonly DiffedFile[];
}

/** Commands that publish a commit. They show no diff. */
const PUBLISHES = /\bgit (?:commit|push)\b|\bgh pr\b/;
/** Largest number of steps between the diff and the end of the run. */
const CLOSING_STEPS = 2;

/**
 * The diff that a call without arguments (`submit`) returned, or that the last step gives as the result. Null if no step
 * shows the final change: most agents only change the files.
 */
export const submittedDiff = memoizeByRef((trace: Trace): SubmittedDiff | null => {
  if (!hasKnownEnd(trace)) return null;
  return diffBySubmission(trace) ?? byLastStep(trace);
});

function diffBySubmission(trace: Trace): SubmittedDiff | null {
  const work = codingWork(trace);
  const last = work.findLastIndex(({ kind }) => kind === 'submit');
  if (last === -1 || last < work.length - 1) return null;
  const { use } = work[last]!;
  if (use.command !== null && PUBLISHES.test(use.command)) return null;
  const files = diffedFiles(use.resultText);
  const isBlank = use.resultText.trim() === '' && !use.isError && submitsWorkspace(use);
  return files.length > 0 || isBlank ? { step: use.step, use, files } : null;
}

/** Whether a call submits the workspace: none of its arguments could be an answer. */
function submitsWorkspace({ name, arguments: args, command }: ToolUse): boolean {
  return command === null && (args === name || hasNoContent(args));
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
