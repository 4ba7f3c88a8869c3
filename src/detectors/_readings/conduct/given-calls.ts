import type { Trace } from '../../../core/trace.ts';
import { memoizeByRef } from '../../_kit/memoize.ts';
import { counted, cut } from '../../_kit/text.ts';
import type { ToolUse } from '../calls/calls.ts';
import { codeIn } from '../calls/fenced-code.ts';
import { answerSummary } from './answer-line.ts';
import { conversation } from './conversation.ts';
import { codeOf, codeRuns } from './executions.ts';

/** A call that is not part of a definition. */
const CALL_LINE = /^[A-Za-z_][\w.]{0,80}\(.{0,200}\)$/;

/** Lines of the user's scripts that are calls: what the user wants to have run. */
export const givenCalls = memoizeByRef((trace: Trace): readonly string[] => {
  const given = conversation(trace).filter(({ by }) => by === 'user');
  return given.flatMap(({ text }) => codeIn(text).split('\n')).filter((line) => CALL_LINE.test(line));
});

/** A call of the user's script that runs made at first, and that later runs no longer contain. */
export interface DroppedCall {
  call: string;
  /** The last run whose code contains the call. */
  last: ToolUse;
  laterRuns: number;
}

/** A single later run may be a side check. */
const MIN_LATER_RUNS = 2;

export function droppedCall(trace: Trace): DroppedCall | null {
  const runs = codeRuns(trace);
  for (const call of new Set(givenCalls(trace))) {
    const at = runs.findLastIndex((run) => codeOf(run).includes(call));
    const laterRuns = runs.length - 1 - at;
    if (at >= 0 && laterRuns >= MIN_LATER_RUNS) return { call, last: runs[at]!, laterRuns };
  }
  return null;
}

/** One sentence with a leading space; empty if no call was dropped. */
export function droppedText(dropped: DroppedCall | null): string {
  if (dropped === null) return '';
  const { call, last, laterRuns } = dropped;
  return ` The last run with \`${cut(call, 80)}\` from the user's script is that of step ${last.step} ("${cut(answerSummary(last.resultText), 100)}"): the code of ${counted(laterRuns, 'later run')} does not contain it.`;
}

/** One sentence with a leading space that asks for the call; empty if no call was dropped. */
export function droppedAdvice(who: string, dropped: DroppedCall | null): string {
  return dropped === null ? '' : ` Have ${who} keep \`${cut(dropped.call, 80)}\` in each version.`;
}
