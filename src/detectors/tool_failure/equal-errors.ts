import { canonicalJson } from '../../core/json.ts';
import { withoutVolatile } from '../_kit/normalise.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { adviceAt } from '../_readings/conduct/call-advice.ts';
import { type FailedCall, quoteOf } from './failed-call.ts';
import type { FailureGroup } from './failures.ts';
import { fixOf, type Remedy } from './remedy.ts';

/** Fewer different arguments may have the same mistake. */
const MIN_ARGUMENTS = 3;

/**
 * The remedy for a tool that returned the same error for different arguments in all its calls, if the error names no
 * argument: the request that the tool sends may be at fault. Null for other failures.
 */
export function equalErrorsRemedy({ trace, failure }: FailedCall, group: FailureGroup): Remedy | null {
  if (group.neverWorked === undefined || failure.class !== 'invalid_arguments') return null;
  const { obstacle } = adviceAt(trace, failure.step) ?? {};
  if (obstacle?.kind !== 'failure' || obstacle.part !== 'arguments') return null;
  const calls = toolUses(trace).filter(({ name }) => name === failure.name);
  if (countOf(calls, errorKey) !== 1 || countOf(calls, ({ arguments: args }) => canonicalJson(args)) < MIN_ARGUMENTS)
    return null;
  const action = `Send one request of ${failure.name} by hand: ${calls.length} calls with different arguments returned ${quoteOf(failure)}, so the request that the tool sends may be wrong whatever the agent passes.`;
  return {
    action,
    fixes: [
      fixOf(failure.name, {
        fixType: 'tool_change',
        title: `Test ${failure.name} outside the agent`,
        description: action,
        rationale: 'The error does not depend on the arguments.',
        change: `request of ${failure.name}: correct what a single valid call by hand shows, or remove the tool`,
      }),
    ],
  };
}

/** The error without the parts that differ in every call, such as ids of requests. */
function errorKey({ failure }: ToolUse): string {
  return withoutVolatile(failure?.message ?? '')
    .replace(/\b(?=[a-f]{0,16}\d)[0-9a-f]{16,64}\b/gi, '<id>')
    .replace(/\d+/g, '0');
}

function countOf<Value>(values: readonly Value[], keyOf: (value: Value) => string): number {
  return new Set(values.map(keyOf)).size;
}
