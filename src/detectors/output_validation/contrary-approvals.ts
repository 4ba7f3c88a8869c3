import type { Trace } from '../../core/trace.ts';
import { cut, wordOverlap, words } from '../_kit/text.ts';
import { agentTurns, type ConversationTurn } from '../_readings/conduct/conversation.ts';
import { isSameNumber, type NumberAnswer, numberAnswer } from '../_readings/conduct/final-answer.ts';
import { lastRequestBefore } from '../_readings/conduct/last-request.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { FoundFlaw } from './flaw.ts';

const APPROVES =
  /\b(?:is|are|as|seems to be|appears to be|provided|gave|reached|found|the|a)\s+(?:\w{1,20}\s+){0,3}correct\b/i;
const OBJECTS = /\b(?:incorrect|not (?:\w{1,12} )?correct|wrong|mistake|mistakenly|error|however|but)\b/i;
/** Two solutions of one problem share its words and numbers; solutions of different problems do not. */
const MIN_PROBLEM_OVERLAP = 0.4;

interface Approval {
  turn: ConversationTurn;
  shown: string;
  answer: NumberAnswer;
}

/** A reviewer that approved two different answers to one problem. */
export function contraryApprovals(trace: Trace): FoundFlaw[] {
  const approvals = agentTurns(trace).flatMap((turn): Approval[] => {
    if (turn.agent === null || !/correct/i.test(turn.text) || !APPROVES.test(turn.text) || OBJECTS.test(turn.text))
      return [];
    const shown = lastRequestBefore(trace, turn.step);
    const answer = numberAnswer(shown);
    return answer === null ? [] : [{ turn, shown, answer }];
  });
  for (const [at, second] of approvals.entries()) {
    const first = approvals.slice(0, at).find((one) => isContrary(one, second));
    if (first !== undefined) return [flawOf(first, second)];
  }
  return [];
}

function isContrary(a: Approval, b: Approval): boolean {
  if (a.turn.agent !== b.turn.agent || isSameNumber(a.answer.value, b.answer.value)) return false;
  return wordOverlap(new Set(words(a.shown)), new Set(words(b.shown))) >= MIN_PROBLEM_OVERLAP;
}

function flawOf(first: Approval, second: Approval): FoundFlaw {
  const agent = second.turn.agent!;
  return {
    subtype: 'contrary_approvals',
    score: 0.7,
    steps: [second.turn.step, first.turn.step],
    agent,
    explanation: `${agent} called ${first.answer.text} correct at step ${first.turn.step} and ${second.answer.text} correct at step ${second.turn.step}, for the same problem: at least one of the two checks was wrong.`,
    suggestedAction: `Have ${agent} solve the problem before it judges, and compare all answers with its own.`,
    kind: 'text',
    path: 'output',
    quote: cut(second.turn.text, 250),
    fix: checkFix('workflow_change', {
      title: `Let ${agent} solve before it judges`,
      target: `reviews by ${agent}`,
      description:
        'Ask the reviewer for its own result first, then whether the shown answer equals it; show differing answers together.',
      after: 'a review counts only with a result of its own; differing answers are judged in one turn',
      why: 'A reviewer that agrees with everything checks nothing.',
    }),
    key: agent,
  };
}
