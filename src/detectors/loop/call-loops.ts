import type { Trace } from '../../core/trace.ts';
import type { DetectionDraft, DetectorOptions } from '../_kit/define.ts';
import type { ToolUse } from '../_readings/calls/calls.ts';
import { isMonitoring } from '../_readings/conduct/requested-monitoring.ts';
import { isRequestedOften } from '../_readings/conduct/requested-repetitions.ts';
import { comparedUses } from '../_readings/repeats/compared-uses.ts';
import { arePaced } from '../_readings/repeats/paced-calls.ts';
import { findRepetitions } from '../_readings/repeats/repetition.ts';
import { withSimilarArguments } from '../_readings/repeats/similar-calls.ts';
import { findStorms } from '../_readings/repeats/storms.ts';
import { turnsIn } from '../_readings/repeats/turns.ts';
import { cycleDetection, findCallCycles } from './call-cycle.ts';
import type { CallSubtype } from './call-evidence.ts';
import { findRepeatedFaults, repeatedFaultDetection } from './repeated-fault.ts';
import { isAnsweredAfter } from './repetition-advice.ts';
import { repetitionDetection } from './repetition-detection.ts';
import { findRephrasings } from './rephrasing.ts';
import { rephrasingDetection } from './rephrasing-detection.ts';
import { stormDetection } from './retry-storm.ts';
import { findUnchangedResults, unchangedResultsDetection } from './unchanged-results.ts';

/** Loops of tool calls. Calls of a reported retry storm or cycle are not reported again. */
export function findCallLoops(trace: Trace, options: DetectorOptions): DetectionDraft<CallSubtype>[] {
  const uses = withSimilarArguments(comparedUses(trace), options.thresholds);
  const { loopDetectionWindow, minMatchesForLoop } = options.thresholds;
  const turns = turnsIn(trace);
  const cycles = findCallCycles(uses, turns, options.thresholds).filter(
    ({ from, to, rounds }) => !isRequested(trace, uses.slice(from, to + 1), rounds),
  );
  const isInCycle = (at: number) => cycles.some((cycle) => at >= cycle.from && at <= cycle.to);
  const storms = findStorms(uses, turns, minMatchesForLoop + 2).filter((storm) => !storm.every(isInCycle));
  const explained = new Set(storms.flat());
  const isExplained = (at: number) => explained.has(at) || isInCycle(at);
  const repetitions = findRepetitions(uses, turns).filter(
    ({ at }) =>
      !at.every(isExplained) &&
      !isRequested(
        trace,
        at.map((each) => uses[each]!),
        at.length,
      ),
  );
  const unchanged = findUnchangedResults(uses, turns, minMatchesForLoop + 2);
  const rephrasings = findRephrasings(uses, loopDetectionWindow, turns).filter(({ at }) => !at.every(isExplained));
  const faults = findRepeatedFaults(trace, uses, options.thresholds).filter(
    (at) => !at.every((each) => isExplained(each) || repetitions.some((one) => one.at.includes(each))),
  );
  return [
    ...longest(cycles, ({ from, to }) => to - from).map((cycle) => cycleDetection(trace, uses, cycle, options)),
    ...longest(storms, (storm) => storm.length).map((storm) => stormDetection(trace, uses, storm, options)),
    ...longest(repetitions, ({ at }) => at.length).map((each) => repetitionDetection(trace, uses, each, options)),
    ...longest(unchanged, (at) => at.length).map((at) => unchangedResultsDetection(trace, uses, at, options)),
    ...longest(faults, (at) => at.length).map((at) => repeatedFaultDetection(trace, uses, at, options)),
    ...longest(rephrasings, ({ at }) => at.length).map((each) => rephrasingDetection(trace, uses, each, options)),
  ];
}

/**
 * Whether a user asked for about this number of repetitions, or for something to be watched, or the program waited as long
 * between all calls and an answer follows. A failed call is not what was asked for.
 */
function isRequested(trace: Trace, calls: readonly ToolUse[], times: number): boolean {
  if (calls.some(({ isError }) => isError)) return false;
  if (isRequestedOften(trace, times)) return true;
  return isAnsweredAfter(trace, calls.at(-1)!) && (isMonitoring(trace, times) || arePaced(trace, calls));
}

/**
 * Limit per kind: a run in failure repeats everything. The longest loops are reported because each detection costs a pass
 * over the trace.
 */
const MAX_PER_KIND = 5;

function longest<Loop>(loops: readonly Loop[], length: (loop: Loop) => number): Loop[] {
  return [...loops].sort((a, b) => length(b) - length(a)).slice(0, MAX_PER_KIND);
}
