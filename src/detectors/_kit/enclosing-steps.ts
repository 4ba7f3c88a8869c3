import type { Step, Trace } from '../../core/trace.ts';

/** The steps that contain a step, the nearest first. */
export function* enclosingSteps({ steps }: Trace, step: number): Generator<Step> {
  for (let at = steps[step]!.parent; at !== null; at = steps[at]!.parent) yield steps[at]!;
}

/** A step and the steps that contain it, the nearest first. */
export function withEnclosing(trace: Trace, step: number): Step[] {
  return [trace.steps[step]!, ...enclosingSteps(trace, step)];
}

/** The outermost step that contains a step, or the step itself. */
export function rootOf(trace: Trace, step: number): Step {
  return withEnclosing(trace, step).at(-1)!;
}

/** Whether a step contains another one, directly or through others. */
export function isInside(trace: Trace, inner: number, outer: number): boolean {
  for (const { index } of enclosingSteps(trace, inner)) if (index === outer) return true;
  return false;
}
