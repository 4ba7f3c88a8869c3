import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { uncomputedAnswer } from '../_readings/conduct/computed-numbers.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { FoundFlaw } from './flaw.ts';

/** A final number that differs from all numbers that the code of the run returned. */
export function otherResults(trace: Trace): FoundFlaw[] {
  const found = isWhole(trace) ? uncomputedAnswer(trace) : null;
  if (found === null) return [];
  const { turn, answer, run, output } = found;
  const name = turn.agent ?? trace.steps[turn.step]!.name;
  return [
    {
      subtype: 'other_result',
      score: 0.66,
      steps: [turn.step, run.step],
      agent: turn.agent,
      explanation: `At step ${turn.step} ${name} gave ${answer.text} as the final answer. The last number that code returned is in "${cut(oneLine(output), 120)}" (step ${run.step}). No run of code returned ${answer.text}, and no two returned numbers give it by a sum, difference, product or ratio.`,
      suggestedAction: `Compare the calculation behind ${answer.text} with the code at step ${run.step}, and let code compute the final number.`,
      kind: 'text',
      path: 'output',
      quote: answer.text,
      fix: checkFix('workflow_change', {
        title: 'Check the final number against the code',
        target: `final answer of ${name}`,
        description: 'If code ran, return its last number as the answer, or let the agent explain the difference.',
        after:
          'if no run of code returned the final number: return the number to the agent with the output of the code',
        why: 'The final number differs from what the code returned, and nothing compared the two.',
      }),
      key: 'final number',
    },
  ];
}
