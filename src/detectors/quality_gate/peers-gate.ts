import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { textKey } from '../_kit/text.ts';
import { agentTurns } from '../_readings/conduct/conversation.ts';
import { isSameNumber, type NumberAnswer, numberAnswer } from '../_readings/conduct/final-answer.ts';
import { lastRequestBefore } from '../_readings/conduct/last-request.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { GateGap } from './gap.ts';

interface Peer {
  agent: string;
  /** Step of the agent's last answer. */
  step: number;
  answer: NumberAnswer;
}

/** Agents that answered the same question with different final numbers, without a final decision by another agent. */
export function peersGap(trace: Trace): GateGap | null {
  if (!isWhole(trace) || trace.agents.length < 2) return null;
  const groups = Map.groupBy(lastAnswers(trace), ({ question }) => question);
  const peers = [...groups.values()].find((group) => group.length > 1);
  if (peers === undefined) return null;
  const first = peers[0]!;
  const other = peers.find(({ answer }) => !isSameNumber(answer.value, first.answer.value));
  const last = agentTurns(trace).at(-1)!;
  if (other === undefined || !peers.some(({ agent }) => agent === last.agent)) return null;
  const answers = peers.map(({ agent, answer, step }) => `${agent} ${answer.text} (step ${step})`).join(', ');
  return {
    subtype: 'answers_disagree',
    score: 0.66,
    step: other.step,
    steps: [other.step, ...peers.filter(({ step }) => step !== other.step).map(({ step }) => step)],
    agent: other.agent,
    explanation: `${peers.length} agents received the same question and ended with different answers: ${answers}. The run ended without a decision between them.`,
    suggestedAction:
      'Let one agent compare the calculations behind the answers up to the first difference, and decide.',
    quote: other.answer.text,
    path: 'output',
    fix: checkFix('workflow_change', {
      title: 'Decide between the answers',
      target: `end of the discussion of ${peers.map(({ agent }) => agent).join(', ')}`,
      description: 'If the last answers differ, let another round or a judge find the first step in which they differ.',
      after: 'if the final answers differ: ask for the first calculation that differs, redo it, and answer once more',
      why: 'Different answers to one question cannot all be right.',
    }),
    key: 'final answers',
  };
}

function lastAnswers(trace: Trace): (Peer & { question: string })[] {
  const turns = agentTurns(trace).filter(({ agent, text }) => agent !== null && text !== '');
  return [...Map.groupBy(turns, ({ agent }) => agent!)].flatMap(([agent, own]) => {
    const question = lastRequestBefore(trace, own[0]!.step);
    const last = own.findLast(({ text }) => numberAnswer(text) !== null);
    if (last === undefined || question.length < MIN_QUESTION_LENGTH) return [];
    return [{ agent, step: last.step, answer: numberAnswer(last.text)!, question: textKey(question) }];
  });
}

/** A bare "continue" is not a question. */
const MIN_QUESTION_LENGTH = 40;
