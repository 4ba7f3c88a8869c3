import type { Thresholds } from '../../../core/thresholds.ts';
import type { Trace } from '../../../core/trace.ts';
import type { ToolUse } from '../calls/calls.ts';
import { comparedUses } from './compared-uses.ts';
import { findRepetitions } from './repetition.ts';
import { withSimilarArguments } from './similar-calls.ts';
import { findStorms } from './storms.ts';
import { turnsIn } from './turns.ts';

/** Failed calls whose repetition the detector `loop` reports, so that no other detector reports the failure. */
export function loopedFailures(trace: Trace, thresholds: Thresholds): ReadonlySet<ToolUse> {
  const uses = comparedUses(trace);
  const { minMatchesForLoop } = thresholds;
  if (uses.filter(({ isError }) => isError).length < minMatchesForLoop) return new Set();
  const turns = turnsIn(trace);
  const repeated = findRepetitions(withSimilarArguments(uses, thresholds), turns).filter(
    ({ at }) => at.length > minMatchesForLoop,
  );
  const reported = [...findStorms(uses, turns, minMatchesForLoop + 2).flat(), ...repeated.flatMap(({ at }) => at)];
  return new Set(reported.map((at) => uses[at]!).filter(({ isError }) => isError));
}
