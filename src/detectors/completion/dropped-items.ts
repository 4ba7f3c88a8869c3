import type { Step, Trace } from '../../core/trace.ts';
import { counted } from '../_kit/text.ts';
import { containersOf, stepsInside } from '../_readings/calls/containers.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';
import type { Verdict } from './verdict.ts';

/** An iteration that ended successfully although some of its rounds failed: their results are missing from its output. */
export function itemsDropped(trace: Trace): Verdict | null {
  for (const step of containersOf(trace)) {
    const { rounds } = step;
    if (rounds.kind !== 'items' || rounds.planned === null || step.error !== null || step.endMs === null) continue;
    const failed = failedRounds(step, trace);
    const missing = rounds.returned === null ? 0 : rounds.planned - rounds.returned;
    if (failed.length === 0 || (rounds.returned !== null && missing < 1)) continue;
    return droppedItems(step, failed, missing > 0 ? missing : failed.length, rounds.planned);
  }
  return null;
}

/** The first failure of each round that the settings of its node did not handle. */
function failedRounds(container: Step, trace: Trace): Step[] {
  const inside = stepsInside(container, trace);
  const failures = inside.filter(({ error, errorFallback }) => error !== null && errorFallback === undefined);
  const ended = new Set(inside.filter(({ error }) => error === null).map(({ node, round }) => `${node} ${round}`));
  // A round with a successful retry did not fail.
  const real = failures.filter(({ node, round }) => !ended.has(`${node} ${round}`));
  return [...new Map(real.toReversed().map((step) => [step.round ?? step.index, step])).values()].toReversed();
}

function droppedItems(container: Step, failed: readonly Step[], missing: number, planned: number): Verdict {
  const [first] = failed as [Step];
  const { name } = container;
  return {
    subtype: 'items_dropped',
    score: 0.7,
    step: container.index,
    steps: [container.index, ...failed.slice(0, 8).map(({ index }) => index)],
    agent: container.agent,
    explanation: `${name} (step ${container.index}) ended as a success with results for ${planned - missing} of its ${counted(planned, 'item')}: ${first.name} failed for the others, first at step ${first.index}, and they were left out.`,
    suggestedAction: `Collect the items that fail in ${name}, and report or retry them before the run ends.`,
    evidence: [{ kind: 'rounds', step: container.index, path: 'rounds', quote: `${planned - missing} of ${planned}` }],
    fix: checkFix('workflow_change', {
      title: `Account for the items that ${name} leaves out`,
      target: `node after ${name}`,
      description: `After ${name}, compare the number of results with the number of items; send the missing ones to a retry, or name them in the answer.`,
      after: `if length(results of ${name}) < length(items): list the missing items, retry them once, then tell the user which are left out`,
      why: 'The error handling of the iteration removes failed items silently, and the run still counts as a success.',
    }),
    key: name,
  };
}
