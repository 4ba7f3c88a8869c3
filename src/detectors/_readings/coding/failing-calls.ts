import type { Trace } from '../../../core/trace.ts';
import { type ToolUse, toolUses } from '../calls/calls.ts';

/** A call that ran and failed. */
export interface FailingCall {
  step: number;
  tool: string;
  /** The shell command; null for other tools. */
  command: string | null;
  /** Null if the program reports none. */
  exitCode: number | null;
  /** The error message of the tool. */
  message: string;
  use: ToolUse;
}

/** Programs whose exit code 1 is a result: "not found", "different", "false". */
const ANSWERS_BY_CODE =
  /^\s{0,10}(?:e?grep|fgrep|rg|ag|diff|cmp|test|\[|which|pgrep|git (?:diff|grep|show-ref|merge-base))\b/;

/**
 * Failed calls in order, by the error flag and exit code of the program if it reports them. Refused calls did not run and
 * are not included.
 */
export function failingCalls(trace: Trace): FailingCall[] {
  return toolUses(trace)
    .filter((use) => use.isError && use.refusal === null && !isAnswer(use))
    .map((use) => ({
      step: use.step,
      tool: use.name,
      command: use.command,
      exitCode: use.outcome?.exitCode ?? null,
      message: use.failure!.message,
      use,
    }));
}

function isAnswer({ command, outcome }: ToolUse): boolean {
  if (command === null || outcome?.exitCode !== 1) return false;
  const last = command.split(/&&|\|\||[;|\n]/).at(-1) ?? '';
  return ANSWERS_BY_CODE.test(last);
}
