import type { Trace } from '../../core/trace.ts';
import { checkFix } from '../_conduct/remedy.ts';
import { agentTurns } from '../_conduct/said.ts';
import { cut } from '../_kit/text.ts';
import { finalNumber } from './answer-gate.ts';
import type { GateGap } from './gap.ts';

const ASKED_CHARACTERS = 2000;
const ASKS_FOR_THE_START =
  /\b(?:original(?:ly)?|initial(?:ly)?|at first|(?:in|at) the (?:beginning|start)|to (?:begin|start) with|(?:start|beg[iau]n)(?:ed)? (?:out )?with)\b/i;
const TRIES_OUT =
  /\b(?:(?:double-|re)?check|verif|confirm|(?:substitut\w{0,4}|plug\w{0,4}|put\w{0,4}) (?:(?:this|it|the \w{1,12}) )?back)/i;

/**
 * A task that tells how something ended and asks how it began, answered by working backwards: its answer can be tried in
 * the task by one calculation forwards, and nobody did. Where an agent speaks of checking, it is believed.
 */
export function putBackGap(trace: Trace): GateGap | null {
  const question = lastQuestion(trace.task ?? '');
  if (!trace.isSettled || question === null || !ASKS_FOR_THE_START.test(question)) return null;
  const answer = finalNumber(trace);
  if (answer === null || agentTurns(trace).some(({ text }) => TRIES_OUT.test(text))) return null;
  const { step, agent } = answer.said;
  return {
    subtype: 'answer_not_put_back',
    score: 0.45,
    step,
    steps: [step],
    agent,
    explanation: `The task tells how something ended and asks how it began. ${agent ?? trace.steps[step]!.name} answered ${answer.text} at step ${step}; nobody went through the task with this number to see whether it ends as told.`,
    suggestedAction: 'Have the answer tried in the task before it is given.',
    quote: cut(question, 200),
    path: null,
    fix: checkFix('workflow_change', {
      title: 'Try the answer in the task',
      target: `final answer of ${agent ?? 'the agent'}`,
      description:
        'Ask for one calculation forwards, from the answer to the end that the task tells, before the run ends.',
      after: 'if the end differs from the task: work the problem again',
      why: 'Working backwards invites errors of order and sign, and the way forwards shows them.',
    }),
    key: 'working backwards',
  };
}

/** The last sentence that asks for a quantity, in the last part of the task, where the question stands. */
function lastQuestion(task: string): string | null {
  const sentences = task.slice(-ASKED_CHARACTERS).split(/(?<=[.!?])\s/);
  return (
    sentences.findLast(
      (sentence) =>
        sentence.includes('?') && /\bhow (?:many|much|long|old|tall|big)|\bwhat (?:is|was|were)\b/i.test(sentence),
    ) ?? null
  );
}
