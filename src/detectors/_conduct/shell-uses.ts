import type { Trace } from '../../core/trace.ts';
import { type ToolUse, toolUses } from '../_kit/calls.ts';
import { memoizeByRef } from '../_kit/memoize.ts';
import { type ShellCall, shellCalls } from '../_kit/shell-calls.ts';

/** The programs that a call to a shell starts. Parsed once. */
export const callsOf = memoizeByRef(({ command }: ToolUse): readonly ShellCall[] =>
  command === null ? [] : shellCalls(command),
);

/** Calls to a shell whose text matches: the cheap look that spares reading the others. */
export function shellUses(trace: Trace, mentions: RegExp): ToolUse[] {
  return toolUses(trace).filter(({ command }) => command !== null && mentions.test(command));
}
