import type { Step, Trace } from '../../../core/trace.ts';

/** Tolerance for start and end times that a sender rounds to seconds. */
const CLOCK_ERROR_MS = 1000;

/** Each container is compared with all steps of the trace. */
const MAX_CONTAINERS = 100;

type Container = Step & Required<Pick<Step, 'rounds'>>;

/** Steps that ran other steps in rounds. */
export function containersOf(trace: Trace): Container[] {
  return trace.steps.filter((step): step is Container => step.rounds !== undefined).slice(0, MAX_CONTAINERS);
}

/**
 * Steps that a container of rounds ran: its children. If a sender records them as siblings, the steps that name a round and
 * lie within the container's time.
 */
export function stepsInside(container: Step, trace: Trace): Step[] {
  const children = trace.steps.filter(({ parent }) => parent === container.index);
  if (children.length > 0) return children;
  const { startMs, endMs, parent, index } = container;
  if (startMs === null || endMs === null) return [];
  return trace.steps.filter(
    (step) =>
      step.index !== index &&
      step.parent === parent &&
      step.round !== undefined &&
      step.startMs !== null &&
      step.startMs >= startMs - CLOCK_ERROR_MS &&
      (step.endMs ?? step.startMs) <= endMs + CLOCK_ERROR_MS,
  );
}
