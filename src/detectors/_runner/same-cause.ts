import type { Detection } from '../../core/detection.ts';
import type { Trace } from '../../core/trace.ts';
import { isInside } from '../_kit/enclosing-steps.ts';

/** `type/subtype`, or `type` for all subtypes of a detector. */
type Kind = string;

/** Kinds of detections that have one cause if they are about the same call: a fault, and what the run made of it. */
const PAIRS: readonly (readonly [one: readonly Kind[], other: readonly Kind[]])[] = [
  [
    ['completion/tests_claimed_despite_failure'],
    ['quality_gate/failing_tests_left', 'quality_gate/failing_check_left', 'loop'],
  ],
  [
    [
      'completion/ended_on_failures',
      'completion/mostly_failed',
      'completion/result_unanswered',
      'completion/stub_left',
    ],
    ['loop', 'quality_gate/failed_run_left'],
  ],
  [
    ['completion/check_unchanged', 'completion/negative_check_omitted'],
    ['loop', 'reasoning_action_mismatch/other_record'],
  ],
  [['quality_gate/only_comments'], ['quality_gate/nothing_run']],
  [['quality_gate/failed_run_left'], ['loop']],
  [['quality_gate/failing_check_left'], ['loop', 'quality_gate/only_new_files']],
  [['tool_failure'], ['workflow_design/no_error_handling', 'workflow_design/unhandled_error', 'loop/retry_storm']],
  [['grounding/value_without_result'], ['tool_failure', 'loop']],
  [
    ['tool_failure/changes_rejected', 'tool_failure/failed_result_used', 'output_validation/arguments_off_schema'],
    ['tool_failure'],
  ],
  [['context_overflow/truncated', 'tool_provision/unknown_tool'], ['tool_failure']],
  [['tool_provision/unknown_tool'], ['loop']],
];

/**
 * The detections with a reference from each to the first one before it that has the same cause, so that a reader does not
 * take them for two faults.
 * @param detections worst first
 */
export function withSameCause(trace: Trace, detections: readonly Detection[]): Detection[] {
  return detections.map((detection, at) => {
    const first = detections.slice(0, at).find((other) => hasSameCause(trace, detection, other));
    if (first === undefined) return detection;
    const place = first.step === null ? '' : ` at step ${first.step}`;
    return {
      ...detection,
      explanation: `${detection.explanation} The detection "${first.title}"${place} has the same cause.`,
    };
  });
}

function hasSameCause(trace: Trace, one: Detection, other: Detection): boolean {
  const isPair = PAIRS.some(
    ([kinds, others]) => (isOf(one, kinds) && isOf(other, others)) || (isOf(one, others) && isOf(other, kinds)),
  );
  return isPair && isKindDifferent(one, other) && isAboutSameCall(trace, one, other);
}

function isOf({ type, subtype }: Detection, kinds: readonly Kind[]): boolean {
  return kinds.includes(type) || kinds.includes(`${type}/${subtype}`);
}

function isKindDifferent(one: Detection, other: Detection): boolean {
  return one.type !== other.type || one.subtype !== other.subtype;
}

/** Whether they name the same span, or one decisive step contains the other: a failed agent, and its failed model call. */
function isAboutSameCall(trace: Trace, one: Detection, other: Detection): boolean {
  return (
    one.spanIds.some((spanId) => other.spanIds.includes(spanId)) ||
    isBelow(trace, one.step, other.step) ||
    isBelow(trace, other.step, one.step)
  );
}

/** A root contains every step. */
function isBelow(trace: Trace, inner: number | null, outer: number | null): boolean {
  if (inner === null || outer === null || trace.steps[outer]!.parent === null) return false;
  return isInside(trace, inner, outer);
}
