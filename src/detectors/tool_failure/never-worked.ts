import type { Trace } from '../../core/trace.ts';
import { isWhole } from '../_kit/completeness.ts';
import { type ToolUse, toolUses } from '../_readings/calls/calls.ts';
import { refusalOf } from '../_readings/coding/refusals.ts';
import type { Failure } from './failure.ts';
import { isAssertion, isWrapped } from './own-answer.ts';

/** Fewer failed calls may be chance. */
const MIN_CALLS = 3;

/**
 * Calls of each tool whose every call in the run failed by its status, error flag or exit code. An answer of the tool
 * (declined, nothing found, a negative check) shows that the tool works.
 */
export function toolsThatNeverWorked(trace: Trace, failures: readonly Failure[]): ReadonlyMap<string, number> {
  // A later call of a running trace may work.
  if (!isWhole(trace)) return new Map();
  const failed = Map.groupBy(
    failures.filter(({ what }) => what === 'tool'),
    ({ name }) => name,
  );
  const uses = Map.groupBy(
    toolUses(trace).filter((use) => refusalOf(use) === null),
    ({ name }) => name,
  );
  const never = [...failed].filter(
    ([name, own]) =>
      own.filter((failure) => !failure.isReported).length >= MIN_CALLS &&
      own.every((failure) => failure.class !== 'declined' && failure.class !== 'not_found') &&
      (uses.get(name) ?? []).every(isOutage),
  );
  return new Map(never.map(([name]) => [name, uses.get(name)!.length]));
}

function isOutage({ failure, failedBy }: ToolUse): boolean {
  if (failure === null || isAssertion(failure.code)) return false;
  return failedBy === 'span' || /^[45]\d\d$/.test(failure.code) || isWrapped(failure);
}
