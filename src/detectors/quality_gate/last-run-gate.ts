import type { Trace } from '../../core/trace.ts';
import { cut } from '../_kit/text.ts';
import { executions } from '../_readings/conduct/executions.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { GateGap } from './gap.ts';

/** A chat whose last code run failed and that ended without another run. */
export function lastRunGap(trace: Trace): GateGap | null {
  if (!trace.isSettled) return null;
  const runs = executions(trace);
  const last = runs.at(-1);
  if (last === undefined || last.failure === null) return null;
  const isSecond = runs.at(-2)?.isError === true;
  const isAnswered = trace.steps.some(({ index, output }) => index > last.step && output.trim() !== '');
  const author = last.agent ?? trace.steps[last.step]!.name;
  const why = cut(last.failure.message.replace(/\s+/g, ' ').trim(), 140);
  return {
    subtype: 'failed_run_left',
    // One failed run after successful ones is often a side check, and a following answer may report an expected failure:
    // notes.
    score: isSecond && !isAnswered ? 0.72 : 0.5,
    step: last.step,
    steps: [last.step],
    agent: last.agent,
    explanation: `The last code of ${author} that ${last.name} ran failed at step ${last.step} ("${why}"). No other run is recorded before the run ended.`,
    suggestedAction: `Have ${author} correct the code and run it again, or say in the answer that it failed.`,
    quote: last.resultText,
    path: 'output',
    fix: checkFix('workflow_change', {
      title: 'Do not end on a failed run',
      target: `stop condition of the chat between ${author} and ${last.name}`,
      description: `Before the chat ends, look at the last message of ${last.name}: after a failure, ask ${author} for a correction that runs.`,
      after: `on end: if the last run of ${last.name} failed, continue with its error, at most 3 times; then report the failure`,
      why: 'The last recorded run of the code failed.',
    }),
    key: `${author} ${last.name}`,
  };
}
