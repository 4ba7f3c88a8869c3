import type { Trace } from '../../../core/trace.ts';
import { patchArgument } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { isFileEdit } from '../conduct/call-acts.ts';
import { pathOf } from './file-reads.ts';

/** An edit that the tool rejected. The file is unchanged. */
export interface FailedEdit {
  step: number;
  tool: string;
  /** Null if the call does not name one. */
  path: string | null;
  /** The error message of the tool. */
  message: string;
  isPatch: boolean;
}

const REJECTED_PATCH =
  /apply_patch verification failed|Failed to find (?:expected lines|context)|patch does not apply|hunks? FAILED|Invalid patch/;
const PATCHED_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$/m;

/** Rejected edits in order. Refused calls are not included: a person decided about them. */
export function failedEdits(trace: Trace): FailedEdit[] {
  return toolUses(trace).flatMap((use) => {
    if (use.refusal !== null || !use.isError) return [];
    const isPatch = isPatchCall(use);
    if (!isPatch && !isFileEdit(use)) return [];
    const message = use.failure!.message.trim() || use.resultText;
    const path = isPatch ? (PATCHED_FILE.exec(textOf(use))?.[1] ?? pathOf(trace, use)) : pathOf(trace, use);
    return [{ step: use.step, tool: use.name, path, message, isPatch }];
  });
}

/** An edit tool whose argument is a patch, or a shell that received a patch and returns a patch error. */
function isPatchCall(use: ToolUse): boolean {
  if (use.command === null) return isFileEdit(use) && patchArgument(use.arguments) !== null;
  const isInShell = /\bapply_patch\b|\bgit apply\b/.test(textOf(use).slice(0, 2_000));
  return isInShell && REJECTED_PATCH.test(use.resultText.slice(0, 4_000));
}

function textOf(use: ToolUse): string {
  return use.command ?? (typeof use.arguments === 'string' ? use.arguments : JSON.stringify(use.arguments));
}
