import type { Trace } from '../../core/trace.ts';
import { outputText } from '../_readings/calls/calls.ts';
import { failedTestNames } from '../_readings/coding/test-names.ts';
import { admitsFailingTest } from '../_readings/conduct/claims.ts';
import { codingWork, type Work } from '../_readings/conduct/coding-work.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';

/** Whether the failure was there without the change, as a test run shows, and the answer says that a test fails. */
export function isExplained(trace: Trace, run: Work): boolean {
  const answer = lastAnswer(trace, run.use.step);
  const names = failedTestNames(outputText(run.use)).map((name) => name.slice(name.lastIndexOf(':') + 1));
  if (answer === null || !admitsFailingTest(answer.text, names)) return false;
  return baselineRuns(codingWork(trace)).some((earlier) => earlier !== run && hasSameFailures(earlier, run));
}

const PUTS_ASIDE = /\bgit stash(?! (?:pop|apply|drop|list))/;
const PUTS_BACK = /\bgit stash (?:pop|apply)\b/;

/** Failed test runs of the code without the change: before the first edit, or while the change was put aside. */
function baselineRuns(work: readonly Work[]): Work[] {
  const found: Work[] = [];
  let isUnchanged = true;
  for (const each of work) {
    const command = each.use.command ?? '';
    const isPutAside = PUTS_ASIDE.test(command);
    if (isPutAside) isUnchanged = true;
    else if (each.kind === 'edit') isUnchanged = false;
    if (isUnchanged && each.kind === 'suite' && each.hasPassed === false) found.push(each);
    if (PUTS_BACK.test(command)) isUnchanged = false;
  }
  return found;
}

/** Whether every test that failed in the second run had failed in the first. Without names, the outputs are compared. */
function hasSameFailures(first: Work, second: Work): boolean {
  const [before, after] = [first, second].map((each) => failedTestNames(outputText(each.use)));
  if (after!.length > 0) return after!.every((name) => before!.includes(name));
  return withoutTimes(outputText(first.use)) === withoutTimes(outputText(second.use));
}

function withoutTimes(output: string): string {
  return output.replace(/\d{1,9}(?:\.\d{1,9})? ?m?s\b/g, '');
}

/** The last message of the agent after a step; null if none is recorded. */
export function lastAnswer(trace: Trace, step: number): ConversationTurn | null {
  return agentTurns(trace).findLast((turn) => turn.step > step && turn.text.trim() !== '') ?? null;
}
