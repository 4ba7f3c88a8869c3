import type { Trace } from '../../core/trace.ts';
import { toolUses } from '../_kit/calls.ts';
import type { Failure } from './failures.ts';

/** Fewer failed calls may be chance. */
const LEAST_CALLS = 3;

/**
 * Calls of each tool whose every call in the run failed. An answer of the tool (it declined, or found nothing) shows that
 * the tool works.
 */
export function toolsThatNeverWorked(trace: Trace, failures: readonly Failure[]): ReadonlyMap<string, number> {
  const failed = Map.groupBy(
    failures.filter(({ what }) => what === 'tool'),
    ({ name }) => name,
  );
  const uses = Map.groupBy(toolUses(trace), ({ name }) => name);
  const works = (name: string) => uses.get(name)!.some(({ isError }) => !isError);
  const never = [...failed].filter(
    ([name, own]) => own.length >= LEAST_CALLS && !works(name) && !own.some(isOwnAnswer),
  );
  return new Map(never.map(([name]) => [name, uses.get(name)!.length]));
}

function isOwnAnswer({ class: of }: Failure): boolean {
  return of === 'declined' || of === 'not_found';
}
