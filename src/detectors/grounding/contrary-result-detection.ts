import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { cut, oneLine } from '../_kit/text.ts';
import { checkFix, ruleFix } from '../_readings/conduct/remedy.ts';
import type { ContraryResult } from './contrary-result.ts';

/** The result may be wrong and the answer right: never critical. */
const SCORE = 0.68;

export function contraryResultDetection(
  trace: Trace,
  step: number,
  { of, subject, stated, recorded, use }: ContraryResult,
): DetectionDraft<'contradicts_result'> {
  const { agent, name, spanId } = trace.steps[step]!;
  const who = agent ?? name;
  const [ours, theirs] = [cut(oneLine(stated), 60), cut(oneLine(recorded).replace(/^"(.+)"\s?:\s?/, '$1: '), 60)];
  const about = subject === null ? '' : ` for ${cut(oneLine(subject), 60)}`;
  return {
    subtype: 'contradicts_result',
    score: SCORE,
    step,
    steps: [step, use.step],
    agent,
    explanation: `The answer of ${who} at step ${step} gives "${ours}"${about}. The result of ${use.name} at step ${use.step} gives "${theirs}", and no text of the run contains the value of the answer.`,
    suggestedAction: `Correct "${ours}" in the answer: ${use.name} returned "${theirs}"${about} at step ${use.step}.`,
    evidence: [
      { kind: 'text', spanId, path: 'output', quote: stated, value: null },
      { kind: 'source', spanId: trace.steps[use.step]!.spanId, path: 'tool.result', quote: recorded, value: of },
    ],
    fixes: [
      ruleFix(trace, agent, {
        title: `Have ${who} copy values from results`,
        rule: 'Before you send an answer, compare each number and code in it with the result that gives it. If they differ, use the result.',
        why: `The answer says "${ours}", and ${use.name} returned "${theirs}".`,
      }),
      checkFix('workflow_change', {
        title: `Compare the answer with the result of ${use.name}`,
        target: `output of ${who}`,
        description: `Before the answer of ${who} is sent, look for each of its numbers and codes in the results of the run, and return the answer if ${use.name} gave another value.`,
        after: `if the answer gives another value${about} than ${use.name} ("${theirs}"): ask ${who} again with that result`,
        why: 'A value that was looked up can be compared without a model.',
      }),
    ],
    key: `${use.name} ${of}`,
  };
}
