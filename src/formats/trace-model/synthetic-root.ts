import type { StateSnapshot, Step } from '../../core/trace.ts';

/**
 * Steps and states without the first step. A decoder that creates a span for the whole run, because the sender has none,
 * would otherwise shift every step index relative to the sender's.
 */
export function withoutFirstStep(
  steps: readonly Step[],
  states: readonly StateSnapshot[],
): { steps: Step[]; states: StateSnapshot[] } {
  const parentOf = ({ parent }: Step) => (parent === null || parent === 0 ? null : parent - 1);
  return {
    steps: steps
      .slice(1)
      .map((step) => ({ ...step, index: step.index - 1, parent: parentOf(step), depth: Math.max(0, step.depth - 1) })),
    states: states.map((state) => ({ ...state, step: state.step - 1 })),
  };
}
