import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';
import { type ShellCall, shellCalls } from '../shell/shell-calls.ts';

/** The programs that a shell call starts. Parsed once. */
export const callsOf = memoizeByRef(({ command }: ToolUse): readonly ShellCall[] =>
  command === null ? [] : shellCalls(command),
);

/** Shell calls whose text matches. The cheap test avoids parsing the others. */
export function shellUses(trace: Trace, mentions: RegExp): ToolUse[] {
  return toolUses(trace).filter(({ command }) => command !== null && mentions.test(command));
}
