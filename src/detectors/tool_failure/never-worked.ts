import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import type { Failure } from './failures.ts';

/** Fewer failed calls may be chance. */
const LEAST_CALLS = 3;

/**
 * Names of the tools whose every call in the run failed. An answer of the tool (it declined, or found nothing) shows that
 * the tool works.
 */
export function toolsThatNeverWorked(trace: Trace, failures: readonly Failure[]): ReadonlySet<string> {
  const failed = Map.groupBy(
    failures.filter(({ what }) => what === 'tool'),
    ({ name }) => name,
  );
  const working = new Set(toolUses(trace).flatMap(({ isError, name }) => (isError ? [] : [name])));
  const never = [...failed].filter(
    ([name, own]) => own.length >= LEAST_CALLS && !working.has(name) && !own.some(isOwnAnswer),
  );
  return new Set(never.map(([name]) => name));
}

function isOwnAnswer({ class: of }: Failure): boolean {
  return of === 'declined' || of === 'not_found';
}
