import type { StartedRun, Trace } from '../../core/trace.ts';
import { cut, oneLine } from '../_kit/text.ts';
import type { Failure } from './failure.ts';
import type { FailureGroup } from './failures.ts';

/** The only run of another workflow that a failed step started; null if there are none or several. */
export function startedRun({ steps }: Trace, { step }: Failure): StartedRun | null {
  const runs = steps[step]!.startedRuns ?? [];
  return runs.length === 1 ? runs[0]! : null;
}

/** One sentence with a leading space; empty if the step started no run. */
export function startedRunText(trace: Trace, failure: Failure): string {
  const run = startedRun(trace, failure);
  return run === null ? '' : ` It had started execution ${run.id} of workflow ${run.workflow}.`;
}

/** Which run of a node failed, if the others worked. One sentence with a leading space. */
export function failedShareText({ steps }: Trace, { failures }: FailureGroup): string {
  const [{ step }] = failures;
  const { node, parent, input } = steps[step]!;
  const runs = node === null ? [] : steps.filter((each) => each.node === node && each.parent === parent);
  const failed = runs.filter(({ error }) => error !== null);
  if (failed.length !== 1 || runs.length < 2 || input === '') return '';
  return ` 1 of ${runs.length} recorded runs of ${node} failed, with the input ${cut(oneLine(input), 80)}.`;
}
