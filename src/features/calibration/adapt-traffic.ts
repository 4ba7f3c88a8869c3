import { RISK_COLUMN_COUNT } from '../../detectors/_attribution/run-columns.ts';
import type { TrafficReference } from '../../detectors/_kit/traffic-reference.ts';
import { type Adaptation, type AdaptationInput, adaptFiring, MIN_TRACES } from './adapt-firing.ts';
import { adaptRisk } from './adapt-risk.ts';
import { labelVerdict } from './label-verdict.ts';
import type { TraceSignals } from './traffic.ts';

export interface TrafficSample {
  signals: TraceSignals;
  /** Of `riskColumns`; null where the run was not read for them. */
  riskColumns: readonly number[] | null;
}

export interface TrafficInput extends Omit<AdaptationInput, 'traces' | 'fillShare'> {
  /** The last traces, newest first. */
  samples: readonly TrafficSample[];
}

export interface TrafficAdaptation extends Omit<Adaptation, 'alarmed'> {
  /** Null where the riskiest runs are not told. */
  risk: TrafficReference | null;
}

/** The finding that tells the riskiest runs; users may call it false like any other. */
export const RISK_KIND = 'completion/unusual_trouble';
/**
 * What is left of the wanted alerts goes to rare findings in this part and to the riskiest runs in the rest: of what they
 * added where it was measured, more runs had failed.
 */
const RARE_SHARE = 0.25;

/** All that one framework's traffic decides. Pure and deterministic. */
export function adaptTraffic({ samples, ...input }: TrafficInput): TrafficAdaptation {
  const { minTraces = MIN_TRACES, targetAlertRate, validated } = input;
  const columns = samples.map(({ riskColumns }) => (isComparable(riskColumns) ? Float64Array.from(riskColumns) : null));
  const isRanked = columns.filter(Boolean).length >= minTraces && !isDoubted(validated);
  const traces = samples.map(({ signals }) => signals);
  const { alarmed, ...adaptation } = adaptFiring({ ...input, traces, fillShare: isRanked ? RARE_SHARE : 1 });
  if (!isRanked) return { ...adaptation, risk: null };
  const runs = columns.flatMap((row, at) => (row ? [{ columns: row, isAlarmed: alarmed[at]! }] : []));
  return { ...adaptation, risk: adaptRisk(runs, targetAlertRate, targetAlertRate) };
}

function isComparable(columns: readonly number[] | null): columns is readonly number[] {
  return columns?.length === RISK_COLUMN_COUNT;
}

function isDoubted(validated: AdaptationInput['validated']): boolean {
  return labelVerdict(validated.filter(({ key }) => key === RISK_KIND)).doubtfulBelow !== null;
}
