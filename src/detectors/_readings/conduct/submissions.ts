import { isJsonObject } from '../../../core/json.ts';
import type { Trace } from '../../../core/trace.ts';
import { hasKnownEnd } from '../../_kit/completeness.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { codeArgument, fileChange, hasNoContent, onlyText, pathArgument } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { plainName } from '../calls/tool-names.ts';
import { diffedFiles } from '../coding/unified-diff.ts';
import { hasShellName } from '../shell/shell.ts';

/** How a run submits its work. */
export interface Submissions {
  calls: ReadonlySet<ToolUse>;
  /** Names of tools that do nothing else in this run. */
  tools: ReadonlySet<string>;
}

const SUBMISSION_NAME = /^(?:submit|submit_and_exit|finish|complete|attempt_completion|final_answer|exit_plan_mode)$/i;

/**
 * Calls that submit the work: the last call of a run that ended. It is made once, no answer follows it, it carries at most
 * one message, and it returns nothing or the diff. Tools of known programs are included by name.
 */
export const submissions = memoizeByRef((trace: Trace): Submissions => {
  const uses = toolUses(trace);
  const last = uses.at(-1);
  const named = uses.filter(({ name }) => SUBMISSION_NAME.test(plainName(name)));
  const calls = new Set(named);
  const tools = new Set(named.map(({ name }) => name));
  if (last !== undefined && closingCall(trace) === last && returnsNothing(last)) {
    calls.add(last);
    tools.add(last.name);
  }
  for (const name of namesOfUnrunCalls(trace, uses)) tools.add(name);
  return { calls, tools };
});

/** Whether a call of this name submits the work, including text commands of agents that submit by text. */
export function isSubmissionName(trace: Trace, name: string): boolean {
  return submissions(trace).tools.has(name) || SUBMISSION_NAME.test(plainName(name));
}

/** The last call of a run that ended well, if its tool is used nowhere else and no answer follows. */
export const closingCall = memoizeByRef((trace: Trace): ToolUse | null => {
  const uses = toolUses(trace);
  const last = uses.at(-1);
  if (last === undefined || !hasKnownEnd(trace) || trace.status === 'error') return null;
  if (last.isError || last.refusal !== null || uses.some((use) => use !== last && use.name === last.name)) return null;
  const isAnswered = trace.steps.some(
    ({ index, kind, output }) => index > last.step && kind === 'llm' && output.trim() !== '',
  );
  return isAnswered ? null : last;
});

/** Whether a result contains only an echo of the submission, or the diff. */
function returnsNothing({ name, arguments: args, command, resultText }: ToolUse): boolean {
  if (command !== null || fileChange(args) !== null || codeArgument(args) !== null) return false;
  // A call without arguments may be recorded as its name.
  const isBare =
    args === name ||
    hasNoContent(args) ||
    (isJsonObject(args) && onlyText(args) !== null && pathArgument(args) === null);
  const result = resultText.trim();
  if (!isBare) return false;
  return result === '' || result === onlyText(args)?.trim() || diffedFiles(result).length > 0;
}

/** The calls of the last answer, if none of them ran or was answered: the run ended with them. */
function namesOfUnrunCalls(trace: Trace, uses: readonly ToolUse[]): string[] {
  if (!hasKnownEnd(trace) || trace.status === 'error') return [];
  const last = trace.steps.findLast(({ kind }) => kind === 'llm' || kind === 'tool' || kind === 'message');
  if (last?.kind !== 'llm') return [];
  const called = last.outputMessages.flatMap(({ toolCalls }) => toolCalls);
  const isNew = called.length === 1 && !uses.some((use) => use.name === called[0]!.name && use.step !== last.index);
  return isNew && !hasShellName(called[0]!.name) && hasNoContent(called[0]!.arguments) ? [called[0]!.name] : [];
}
