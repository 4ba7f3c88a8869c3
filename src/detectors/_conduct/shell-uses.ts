import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { type ShellCall, shellCalls } from '../_kit/shell-calls.ts';

const read = new WeakMap<ToolUse, readonly ShellCall[]>();

/** The programs that a call to a shell starts. Read once. */
export function callsOf(use: ToolUse): readonly ShellCall[] {
  let calls = read.get(use);
  if (calls === undefined) {
    calls = use.command === null ? [] : shellCalls(use.command);
    read.set(use, calls);
  }
  return calls;
}

/** Calls to a shell whose text matches: the cheap look that spares reading the others. */
export function shellUses(trace: Trace, mentions: RegExp): ToolUse[] {
  return toolUses(trace).filter(({ command }) => command !== null && mentions.test(command));
}
