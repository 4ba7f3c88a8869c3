import { counted, cut } from '../_kit/text.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import { resultLine } from './call-evidence.ts';
import type { RepetitionAdvice } from './repetition-advice.ts';

/** The later equal call that returned something else and worked: the repeated calls waited for it. Null without one. */
export function endOfWait(uses: readonly ToolUse[], last: ToolUse): ToolUse | null {
  const { actor, name, argumentsText, resultHash, step } = last;
  const next = uses.find(
    (use) => use.step > step && use.actor === actor && use.name === name && use.argumentsText === argumentsText,
  );
  return next === undefined || next.isError || next.resultHash === resultHash ? null : next;
}

/** One sentence with a leading space. */
export function endOfWaitText(end: ToolUse): string {
  const line = resultLine(end);
  return ` The equal call at step ${end.step} returned something else${line === '' ? '' : ` (${cut(line, 100)})`}.`;
}

/** Advice on a wait that succeeded: fewer calls. A guard against equal calls would have ended it before its result. */
export function waitAdvice(repeated: ToolUse, end: ToolUse, times: number): RepetitionAdvice {
  return fewerCalls(
    repeated,
    `${counted(times, 'call')} had the same result before step ${end.step} returned another one.`,
    `Each of the ${times} calls cost a model call, and only the one at step ${end.step} brought something new.`,
  );
}

/** Advice on calls that each waited by themselves and all had the same result. */
export function slowPollAdvice(repeated: ToolUse, times: number): RepetitionAdvice {
  return fewerCalls(
    repeated,
    `${counted(times, 'call')} each took long and had the same result.`,
    `Each of the ${times} calls cost a model call, and none after the first brought something new.`,
  );
}

function fewerCalls({ name }: ToolUse, reason: string, why: string): RepetitionAdvice {
  const action = `Wait longer between the calls of ${name}, or let ${name} return only when its result changes: ${reason}`;
  return {
    action,
    fixes: [
      checkFix('config_change', {
        title: `Wait longer between the calls of ${name}`,
        target: name,
        description: action,
        after: `${name}: pause before each equal call, doubled each time; a limit for the whole wait`,
        why,
      }),
    ],
    isGuarded: false,
  };
}
