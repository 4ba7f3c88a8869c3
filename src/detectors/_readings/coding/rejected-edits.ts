import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { counted } from '../../_kit/text.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { answerLine } from '../conduct/answer-line.ts';
import { isFileEdit } from '../conduct/call-acts.ts';
import { obstacleOf } from '../conduct/call-obstacle.ts';
import { claimsSuccess } from '../conduct/claims.ts';
import { codingWork } from '../conduct/coding-work.ts';
import { hasFailureForm } from '../conduct/failure-form.ts';

/** All edits of existing files that a run made, if each of them was rejected. */
export interface RejectedEdits {
  edits: readonly [ToolUse, ...ToolUse[]];
  /** The line of the last rejection that says what failed; empty if none is recorded. */
  line: string;
}

/** A name that contains a verb for changing a file or a record. */
export const EDITING_NAME = /(?:^|[_-])(?:edit|write|create|insert|replace|patch|append|modify|update|save|apply)/i;

/** Whether the result of an edit says that it failed. */
export function isRejectedEdit(trace: Trace, use: ToolUse): boolean {
  if (use.command !== null || use.refusal !== null || !EDITING_NAME.test(use.name)) return false;
  if (use.isError) return true;
  return (
    (obstacleOf(trace, use).kind === 'failure' || hasFailureForm(use.resultText)) && !claimsSuccess(use.resultText)
  );
}

/** Null if a call may have changed an existing file, or if the run made no edit. Files that the run created are not edits. */
export const onlyRejectedEdits = memoizeByRef((trace: Trace): RejectedEdits | null => {
  const edits = toolUses(trace).filter((use) => isEdit(use) && use.refusal === null);
  const [first, ...others] = edits;
  if (first === undefined || !edits.every((use) => isRejectedEdit(trace, use))) return null;
  const isOther = codingWork(trace).some(
    ({ kind, use }) => kind === 'edit' && !edits.includes(use) && !isCreation(use),
  );
  if (isOther) return null;
  return { edits: [first, ...others], line: rejectionLine(trace, edits.at(-1)!) };
});

/** The line of a rejected edit that says what failed; empty if none is recorded. */
export function rejectionLine(trace: Trace, use: ToolUse): string {
  const obstacle = obstacleOf(trace, use);
  return obstacle.kind === 'failure' ? obstacle.line : answerLine(use.failure?.message || use.resultText);
}

/** One sentence: how many calls of which tools were rejected, where, and why. */
export function rejectedEditsText({ edits, line }: RejectedEdits): string {
  const names = [...new Set(edits.map(({ name }) => name))].join(', ');
  const [first, last] = [edits[0].step, edits.at(-1)!.step];
  const reason = line === '' ? '' : ` ("${line}"${edits.length === 1 ? '' : ' at the last one'})`;
  if (edits.length === 1)
    return `The only edit of the run, ${names} at step ${first}, was rejected${reason}: nothing was applied.`;
  return `All ${counted(edits.length, 'call')} of ${names} (steps ${first} to ${last}) were rejected${reason}: nothing was applied.`;
}

function isEdit(use: ToolUse): boolean {
  return use.command === null && !isCreation(use) && (isFileEdit(use) || EDITING_NAME.test(use.name));
}

function isCreation({ name }: ToolUse): boolean {
  return /^create/i.test(name);
}
