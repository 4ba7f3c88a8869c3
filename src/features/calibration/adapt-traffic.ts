import { RISK_COLUMN_COUNT } from '../../detectors/_attribution/run-columns.ts';
import type { TrafficReference } from '../../detectors/_kit/traffic-reference.ts';
import { type Adaptation, type AdaptationInput, adaptFiring, MIN_TRACES } from './adapt-firing.ts';
import { adaptRisk } from './adapt-risk.ts';
import { labelVerdict } from './label-verdict.ts';
import type { TraceSignals } from './traffic.ts';

export interface TrafficSample {
  signals: TraceSignals;
  /** Of `riskColumns`; null if the run was not read for them. */
  riskColumns: readonly number[] | null;
}

export interface TrafficInput extends Omit<AdaptationInput, 'traces' | 'fillShare'> {
  /** The last traces, newest first. */
  samples: readonly TrafficSample[];
}

export interface TrafficAdaptation extends Omit<Adaptation, 'alarmed'> {
  /** Null if the riskiest runs are not reported. */
  risk: TrafficReference | null;
}

/** The detection that reports the riskiest runs; users may mark it as false like any other. */
export const RISK_KIND = 'completion/unusual_trouble';
/**
 * The share of the remaining alert rate for rare detections. The rest is for the riskiest runs, of which more had failed
 * in the measurement.
 */
const RARE_SHARE = 0.25;

/** All adaptations for one framework's traffic. Pure and deterministic. */
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
