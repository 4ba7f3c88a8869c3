import type { Trace } from '../../../core/trace.ts';
import { patchArgument } from '../calls/argument-roles.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { isFileEdit } from '../conduct/call-acts.ts';
import { pathOf } from './file-reads.ts';

/** An edit that the tool rejected. The file is unchanged. */
export interface FailedEdit {
  step: number;
  tool: string;
  /** The file that did not fit; null if neither the message nor the call names it. */
  path: string | null;
  /** The error message of the tool. */
  message: string;
  isPatch: boolean;
  /** The tool could not parse the patch: no file was read. */
  isMalformed: boolean;
}

const REJECTED_PATCH =
  /apply_patch verification failed|Failed to find (?:expected lines|context)|patch does not apply|hunks? FAILED|Invalid patch/;
const MALFORMED_PATCH = /\binvalid (?:hunk|patch|header)\b|\bcorrupt patch\b|\bmalformed patch\b/i;
const PATCHED_FILE = /^\*\*\* (?:Update|Add|Delete) File: (.{1,300})$/gm;
/** The file in the message of a rejected patch, at the end of a line or before a colon. */
const FILE_IN_MESSAGE =
  /(?:Failed to (?:find (?:expected lines|context)|read file)[^\n]{0,80}? (?:in|to update)|patch failed:|error:) ([^\s:'"]{1,300}?)(?::|$)/m;

/** Rejected edits in order. Refused calls are not included: a person decided about them. */
export function failedEdits(trace: Trace): FailedEdit[] {
  return toolUses(trace).flatMap((use) => {
    if (use.refusal !== null || !use.isError) return [];
    const isPatch = isPatchCall(use);
    if (!isPatch && !isFileEdit(use)) return [];
    const message = use.failure!.message.trim() || use.resultText;
    const isMalformed = isPatch && MALFORMED_PATCH.test(message.slice(0, 2_000));
    const path = isPatch ? patchedPath(trace, use, message) : pathOf(trace, use);
    return [{ step: use.step, tool: use.name, path, message, isPatch, isMalformed }];
  });
}

/** A patch of several files names the file that did not fit only in the message. */
function patchedPath(trace: Trace, use: ToolUse, message: string): string | null {
  const named = FILE_IN_MESSAGE.exec(message.slice(0, 2_000))?.[1];
  if (named !== undefined) return named;
  const patched = [...textOf(use).matchAll(PATCHED_FILE)].map(([, path]) => path!);
  return patched.length > 1 ? null : (patched[0] ?? pathOf(trace, use));
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
