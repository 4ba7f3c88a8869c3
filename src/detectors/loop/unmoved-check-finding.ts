import type { Trace } from '../../core/trace.ts';
import { failureLine } from '../_conduct/failure-form.ts';
import type { DetectorOptions, Finding } from '../_kit/define.ts';
import { counted, cut } from '../_kit/text.ts';
import { wasteOf } from '../_kit/waste.ts';
import { loopGuard, rememberInPrompt } from './fixes.ts';
import type { UnmovedCheck } from './unmoved-check.ts';

/** From here on each further answer makes it surer. */
const SURE_RUNS = 3;

export function unmovedCheckFinding(
  trace: Trace,
  { runs, changes, isSameQuestion }: UnmovedCheck,
  { models }: DetectorOptions,
): Finding<'unmoved_check'> {
  const [first, second] = runs as [UnmovedCheck['runs'][number], UnmovedCheck['runs'][number]];
  const last = runs.at(-1)!;
  const said = cut(failureLine(last.result), 160);
  const times = counted(runs.length, 'time');
  const repeated = { trace, agent: first.agent, what: first.by, times: runs.length };
  const steps = runs.map(({ step }) => step);
  return {
    subtype: 'unmoved_check',
    score: Math.min(0.9, 0.7 + 0.04 * (runs.length - SURE_RUNS)),
    step: second.askedAt,
    steps,
    agent: first.agent,
    explanation: isSameQuestion
      ? `The same check with ${first.by} failed in the same way ${times} (steps ${first.step} to ${last.step}), with ${counted(changes, 'change')} in between: "${said}". The run ended without another result of it.`
      : `The last ${counted(runs.length, 'attempt')} with ${first.by} (steps ${first.step} to ${last.step}), ${changes} of them different, all got the same answer: "${said}". The run ended with it${last.hasFailed === true ? '' : ', without a message of the agent'}.`,
    suggestedAction:
      last.hasFailed === true
        ? `Correct what "${cut(said, 80)}" reports. After the second equal answer of ${first.by}, have the agent find out why its changes do not reach it.`
        : `Give the agent a way to end the run. After the second equal answer of ${first.by}, have it compare that answer with the task and change its approach or answer.`,
    evidence: runs.slice(0, 5).map(({ step, result, hasFailed }) => ({
      kind: hasFailed === true ? 'error' : 'output',
      spanId: trace.steps[step]!.spanId,
      path: trace.steps[step]!.kind === 'message' ? 'output' : 'tool.result',
      quote: cut(failureLine(result), 280),
      value: null,
    })),
    ...wasteOf(trace, steps.slice(1), models),
    fixes: [rememberInPrompt(repeated, cut(said, 80)), loopGuard(repeated)],
    key: `unmoved ${first.by}`,
  };
}
