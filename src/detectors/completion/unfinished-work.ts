import type { Trace } from '../../core/trace.ts';
import { hasKnownEnd, isComplete } from '../_kit/completeness.ts';
import { valuesIn } from '../_kit/number-notation.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { toolUses } from '../_readings/calls/calls.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { claimOfEnd } from '../_readings/conduct/end-claims.ts';
import { lastUserTurn } from '../_readings/conduct/last-user-turn.ts';
import { endsWithQuestion } from '../_readings/conduct/open-question.ts';
import { type OpenProgress, openProgress } from '../_readings/conduct/progress.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import { namesWhole } from '../_readings/conduct/whole-words.ts';
import type { Verdict } from './verdict.ts';

const ANSWER_LIMIT = 2_000;

/**
 * The last status says that work has not ended, and the last answer says that it has. Null if the answer states the number of the
 * last status, names a part or admits a trouble, or asks the user.
 */
export function unfinishedWork(trace: Trace): Verdict | null {
  if (!hasKnownEnd(trace) || !isComplete(trace) || trace.status === 'error') return null;
  const answer = agentTurns(trace).at(-1);
  if (answer === undefined || answer.calls.length > 0 || answer.text.length > ANSWER_LIMIT) return null;
  const claim = claimOfEnd(answer.text);
  if (claim === null || endsWithQuestion(trace)) return null;
  const open = openProgress(trace).find(
    (one) => one.step <= answer.step && contradicts(trace, one, answer.text, claim),
  );
  return open === undefined ? null : verdictOf(trace, open, answer, claim);
}

function contradicts(trace: Trace, progress: OpenProgress, answer: string, claim: string): boolean {
  const { kind, reached, end, unit } = progress;
  if (reached !== null && hasNumber(answer, reached)) return false;
  if (kind === 'state') return !answer.toLowerCase().includes(quotedState(progress).slice(0, STEM_LENGTH));
  // A percentage in a text may be a measured quantity, such as humidity.
  if (kind === 'percent') return progress.quote.startsWith('"') || hasNumber(claim, end!) || namesWhole(claim);
  if (kind === 'count') return isOf(claim, end!, unit) && namesWhole(claim);
  return numbersOf(claim, unit).some((value) => value > reached! && isTarget(trace, value));
}

const STEM_LENGTH = 5;

function quotedState({ quote }: OpenProgress): string {
  return quote.split('"').at(-2)!.toLowerCase();
}

function hasNumber(text: string, value: number): boolean {
  return valuesIn(text).includes(value);
}

/** Whether the text has the number, and the noun of the count. */
function isOf(text: string, end: number, noun: string): boolean {
  return hasNumber(text, end) && (noun === '' || text.toLowerCase().includes(noun.toLowerCase().slice(0, 5)));
}

/** The numbers in a text that have this unit. */
function numbersOf(text: string, unit: string): number[] {
  return Array.from(text.matchAll(/(\d{1,9}(?:[.,]\d{1,3})?) ?(?=(°[CF]|\p{L}{1,10}[\d²³]?)(?![\p{L}\d]))/gu))
    .filter(([, , written]) => written === unit)
    .map(([, digits]) => Number(digits!.replace(',', '.')));
}

/** Whether an argument or the user states the number, and no result does. */
function isTarget(trace: Trace, value: number): boolean {
  const uses = toolUses(trace);
  const asked = [lastUserTurn(trace)?.text ?? '', trace.task ?? '', ...uses.map(({ argumentsText }) => argumentsText)];
  return asked.some((text) => hasNumber(text, value)) && !uses.some(({ resultText }) => hasNumber(resultText, value));
}

function verdictOf(trace: Trace, open: OpenProgress, answer: ConversationTurn, claim: string): Verdict {
  const who = answer.agent ?? trace.steps[answer.step]!.name;
  const quote = cut(oneLine(open.quote).replaceAll('"', ''), 100);
  const said = cut(oneLine(claim), 160);
  return {
    subtype: 'unfinished_claimed',
    score: 0.8,
    step: answer.step,
    steps: [open.step, answer.step],
    agent: answer.agent,
    explanation: `The last result of ${open.name} at step ${open.step} states "${quote}", so the work was not complete, and no later result shows its end. ${who} reports the end at step ${answer.step}: "${said}".`,
    suggestedAction: `Check the present state with ${open.name} before you use this answer. Let the run continue until the result of ${open.name} shows the end.`,
    evidence: [
      { kind: 'call', step: open.step, path: 'output', quote },
      { kind: 'text', step: answer.step, path: 'output', quote: claim },
    ],
    causeFix: checkFix('workflow_change', {
      title: `Let the run wait until ${open.name} shows the end`,
      target: `step after ${open.name}`,
      description: `Decide in code whether the result of ${open.name} shows the end. If it does not, wait and call it again; after a time limit, end with the last status instead of an answer.`,
      after: `while ${open.name} does not show the end: wait, then call it again; after the time limit, return the last status`,
      why: `The run went on at "${quote}".`,
    }),
    fix: ruleFix(trace, answer.agent, {
      title: `Let ${who} report the last status`,
      rule: `Say that work has ended only if the last result of ${open.name} shows it. Otherwise state the last status.`,
      why: `${who} reported the end after "${quote}".`,
    }),
    key: open.name,
  };
}
