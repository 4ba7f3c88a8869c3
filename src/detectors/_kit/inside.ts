import type { Step, Trace } from '../../core/trace.ts';

/** Starts and ends of whole seconds may differ by as much from what they stand for. */
const CLOCK_ERROR_MS = 1000;

/** Each is held against all steps of the trace. */
const MOST_CONTAINERS = 100;

type Container = Step & Required<Pick<Step, 'rounds'>>;

/** Steps that ran others in rounds. */
export function containersOf(trace: Trace): Container[] {
  return trace.steps.filter((step): step is Container => step.rounds !== undefined).slice(0, MOST_CONTAINERS);
}

/**
 * Steps that a container of rounds ran: its children; where a sender draws them beside it, those that name a round and lie
 * within its time.
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
