import { midRank } from './mid-rank.ts';
import { TROUBLE_COLUMNS } from './run-columns.ts';

const [AGENTS, CALLS, FIRST_TROUBLE] = [0, 1, 2];

/**
 * Signs of trouble in a run compared with other runs of the same traffic group, unlabelled: 0 is average, higher is more
 * trouble. Comparable among runs with the same reference; 0 without a reference.
 */
export function rankedRisk(columns: Float64Array, reference: readonly Float64Array[]): number {
  return riskRanking(reference)(columns);
}

/** Prepares a reference for many runs: O(n log n) once for n runs, O(log n) per run. */
export function riskRanking(reference: readonly Float64Array[]): (columns: Float64Array) => number {
  if (reference.length === 0) return () => 0;
  const whole = scalesOf(reference);
  const scalesByAgents = new Map<number, readonly Scale[]>();
  for (const [agents, runs] of Map.groupBy(reference, (run) => run[AGENTS]!))
    if (runs.length >= MIN_COMPARABLE_RUNS) scalesByAgents.set(agents, scalesOf(runs));
  const usesTools = reference.filter((run) => run[CALLS]! > 0).length > TOOL_RUN_SHARE * reference.length;
  return (columns) => {
    const scales = scalesByAgents.get(columns[AGENTS]!) ?? whole;
    const sum = scales.reduce((total, scale, at) => total + scale(columns[FIRST_TROUBLE + at]!), 0);
    return sum + (usesTools && columns[CALLS] === 0 ? NO_CALL_PENALTY : 0);
  };
}

/**
 * Runs with the same number of agents are compared with each other if there are this many: other workflows fail
 * differently.
 */
const MIN_COMPARABLE_RUNS = 30;

/** A run without calls counts as several signs of trouble if at least this share of the other runs calls tools. */
const TOOL_RUN_SHARE = 0.8;
const NO_CALL_PENALTY = 5;

type Scale = (value: number) => number;

function scalesOf(runs: readonly Float64Array[]): Scale[] {
  return TROUBLE_COLUMNS.map((_, at) => rankScale(runs.map((run) => run[FIRST_TROUBLE + at]!)));
}

/** Standard score of the mid-rank among these values. A column with little variation never weighs more than others. */
function rankScale(values: readonly number[]): Scale {
  const sorted = Float64Array.from(values).sort();
  const ties = [...Map.groupBy(values, (value) => value).values()].map((same) => same.length / values.length);
  const deviation = Math.sqrt(Math.max(0, 1 - ties.reduce((sum, share) => sum + share ** 3, 0)) / 12);
  if (deviation < EPSILON) return () => 0;
  return (value) => (midRank(sorted, value) - 0.5) / Math.max(deviation, MIN_DEVIATION);
}

const EPSILON = 1e-6;
const MIN_DEVIATION = 0.075;
