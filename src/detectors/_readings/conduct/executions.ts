import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { codeArgument } from '../calls/argument-roles.ts';
import { messageUse, type ToolUse, toolUses } from '../calls/calls.ts';
import type { FailureText } from '../calls/failure-text.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { actOf } from './call-acts.ts';
import { conversation } from './conversation.ts';

/** Exit code of a code runner in the first lines of its message. */
const EXIT_CODE = /^\s{0,20}(?:exit ?code|return ?code|exit status)\s{0,3}[:=]?\s{0,3}(-?\d{1,5})\b/im;
const HEAD_CHARACTERS = 400;

/**
 * Code that an agent wrote in a chat message and that the chat's code runner answered with its output, as calls of the
 * runner. Code that a recorded tool call ran is omitted.
 */
export const executions = memoizeByRef((trace: Trace): readonly ToolUse[] => {
  const uses: ToolUse[] = [];
  const called = toolUses(trace).map(({ step }) => step);
  let passed = 0;
  let written: { step: number; agent: string | null; code: string } | null = null;
  for (const { step, agent, by, text } of conversation(trace)) {
    // In some chats, the code runner has the role of the user.
    const isResult = by === 'executor' || (by === 'user' && EXIT_CODE.test(text.slice(0, HEAD_CHARACTERS)));
    if (!isResult) {
      const code = codeIn(text);
      if (agent !== null && code !== '') written = { step, agent, code };
      continue;
    }
    if (written === null) continue;
    while (passed < called.length && called[passed]! < written.step) passed += 1;
    if ((called[passed] ?? Number.POSITIVE_INFINITY) <= step) continue;
    const name = agent ?? trace.steps[step]!.name;
    const run = { name, code: written.code, result: text, requestedAt: written.step };
    uses.push(messageUse(step, written.agent, run, failureOf(text)));
    written = null;
  }
  return uses;
});

/** Runs of code in a chat; in a run without them, the calls that ran code. */
export function codeRuns(trace: Trace): readonly ToolUse[] {
  const inChat = executions(trace);
  return inChat.length > 0 ? inChat : toolUses(trace).filter((use) => actOf(trace, use) === 'code');
}

/** The program text or the command of a call that ran code. */
export function codeOf({ command, arguments: args, argumentsText }: ToolUse): string {
  if (command !== null) return command;
  return typeof args === 'string' ? args : (codeArgument(args) ?? argumentsText);
}

/** Steps in which a chat's code runner answered. */
export const executionSteps = memoizeByRef(
  (trace: Trace): ReadonlySet<number> => new Set(executions(trace).map(({ step }) => step)),
);

function failureOf(text: string): FailureText | null {
  const head = text.slice(0, HEAD_CHARACTERS);
  const exit = EXIT_CODE.exec(head)?.[1];
  const message = text.trim().split('\n').at(-1)!;
  if (exit !== undefined) return Number(exit) === 0 ? null : { code: `exit_${exit}`, message };
  return head.trimStart().startsWith('Traceback (most recent call last)') ? { code: '', message } : null;
}
