import type { Rounds, Step, Trace } from '../../core/trace.ts';
import type { DetectionDraft } from '../_kit/define.ts';
import { counted } from '../_kit/text.ts';
import { containersOf, stepsInside } from '../_readings/calls/containers.ts';
import { checkFix } from '../_readings/conduct/remedy.ts';

/** Iterations and loops of a workflow that exceeded their bounds, or used all their rounds without meeting their condition. */
export function findRoundFaults(trace: Trace): DetectionDraft<'iteration_escape' | 'exit_not_met'>[] {
  return containersOf(trace).flatMap(
    (step) => escapeOf(step, step.rounds, trace) ?? exitNotMet(step, step.rounds, trace) ?? [],
  );
}

function escapeOf(container: Step, rounds: Rounds, trace: Trace): DetectionDraft<'iteration_escape'> | null {
  const inside = stepsInside(container, trace);
  const beyond = rounds.planned === null ? [] : inside.filter(({ round }) => (round ?? -1) >= rounds.planned!);
  const late = inside.filter((step) => startedAfter(step, container));
  const isOverrun = rounds.planned !== null && (rounds.run ?? 0) > rounds.planned;
  const [first] = beyond.length > 0 ? beyond : late;
  if (first === undefined && !isOverrun) return null;
  const step = first ?? container;
  const what =
    first === undefined
      ? `ran ${rounds.run} rounds`
      : beyond.length > 0
        ? `ran ${step.name} in round ${(step.round ?? 0) + 1} (step ${step.index})`
        : `was over when ${step.name} still ran inside it (step ${step.index})`;
  const bound =
    rounds.planned === null ? '' : `, though it has ${rounds.planned} ${rounds.kind === 'items' ? 'items' : 'rounds'}`;
  return {
    subtype: 'iteration_escape',
    score: 0.75,
    step: step.index,
    steps: [...new Set([step.index, container.index])],
    agent: step.agent,
    explanation: `${container.name} ${what}${bound}: rounds ran outside of the bounds that the workflow sets.`,
    suggestedAction: `Check the list of ${container.name}, and whether a node inside it adds to the list.`,
    evidence: [roundEvidence(container, rounds), { ...roundEvidence(step, rounds), value: step.round ?? null }],
    fixes: [
      checkFix('loop_guard', {
        title: `Bound the rounds of ${container.name}`,
        target: `settings of ${container.name}`,
        description: `Copy the list before ${container.name}, let nothing inside change it, and stop when its rounds exceed the length it began with.`,
        after: `max rounds of ${container.name}: the length of its list when it begins; results of later rounds are dropped`,
        why: 'Rounds beyond the bound cost as much as the others, and belong to no item.',
      }),
    ],
    key: `escape ${container.name}`,
  };
}

/** Dify records whole seconds, so that times may overlap by one second. */
const CLOCK_ERROR_MS = 2000;

function startedAfter({ startMs }: Step, { endMs }: Step): boolean {
  return startMs !== null && endMs !== null && startMs - endMs > CLOCK_ERROR_MS;
}

function exitNotMet(container: Step, rounds: Rounds, trace: Trace): DetectionDraft<'exit_not_met'> | null {
  if (rounds.kind !== 'loop' || rounds.hasLeftEarly !== false || container.error !== null) return null;
  const node = trace.graph?.nodes.find(({ name }) => name === container.name);
  const hasExit = node?.hasExit ?? null;
  if (hasExit === false || (rounds.planned ?? 0) < 2) return null;
  return {
    subtype: 'exit_not_met',
    // Without the declared workflow, a counting loop may be intended: info.
    score: hasExit === true ? 0.7 : 0.45,
    step: container.index,
    steps: [container.index],
    agent: container.agent,
    explanation: `${container.name} used all of its ${counted(rounds.planned!, 'round')} and ended without meeting ${hasExit === true ? 'its exit condition' : 'an exit condition, if it has one'}; the workflow continued as if it had.`,
    suggestedAction: `Check why the exit condition of ${container.name} is not met, and handle the case that its rounds are used up.`,
    evidence: [roundEvidence(container, rounds)],
    fixes: [
      checkFix('workflow_change', {
        title: `Handle the end of ${container.name} without its condition`,
        target: `node after ${container.name}`,
        description: `After ${container.name}, test its exit condition again and lead runs that never met it to a branch of their own.`,
        after: `if the exit condition of ${container.name} does not hold: tell the user what is missing, or stop`,
        why: 'A loop that gives up and a loop that succeeds look the same to the next steps.',
      }),
    ],
    key: `exit ${container.name}`,
  };
}

function roundEvidence({ spanId }: Step, { planned, run, returned }: Rounds) {
  return { kind: 'rounds', spanId, path: 'rounds', quote: null, value: { planned, run, returned } };
}
