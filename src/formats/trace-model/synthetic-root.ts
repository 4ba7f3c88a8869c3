import type { StateSnapshot, Step } from '../../core/trace.ts';

/**
 * Steps and states without the first step. A reader that makes a span for the run as a whole, because the sender has none,
 * would otherwise move every step one place on from where the sender counts it.
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
