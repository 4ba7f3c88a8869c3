import { riskRanking } from '../../src/detectors/_attribution/ranked-risk.ts';
import { MIN_TRACES } from '../../src/features/calibration/adapt-firing.ts';
import { adaptTraffic, RISK_KIND, type TrafficAdaptation } from '../../src/features/calibration/adapt-traffic.ts';
import type { AdaptableKind, TraceSignals, ValidatedDetection } from '../../src/features/calibration/traffic.ts';
import { seededRandom } from '../fit/seeded-random.ts';
import type { StreamedRun } from './traffic-stream.ts';

export interface SimulationOptions {
  kinds: readonly AdaptableKind[];
  targetAlertRate: number;
  /** Number of detections at the start of the stream that are validated by the outcome of their run. */
  labels: number;
}

/** How often a run had an alarm, over the orders in which it came after the start. */
export interface SimulatedRun extends StreamedRun {
  orders: number;
  before: number;
  after: number;
}

const ORDERS = 5;
/** Traces between two adaptations; the product adapts every two minutes. */
const EVERY = 50;
const LAST_TRACES = 1_000;

/**
 * Streams the runs of one set in shuffled orders as one tenant's traffic: thresholds adapt to the preceding runs, and each
 * run after the first `MIN_TRACES` is evaluated with them. Runs that never came late enough are left out.
 */
export function simulateTraffic(runs: readonly StreamedRun[], options: SimulationOptions): SimulatedRun[] {
  const counted = new Map(runs.map((run) => [run.id, { ...run, orders: 0, before: 0, after: 0 }]));
  for (let order = 1; order <= ORDERS; order += 1) {
    const random = seededRandom(order);
    const stream = runs
      .map((run) => ({ run, at: random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ run }) => run);
    for (const { run, before, after } of streamOnce(stream, options)) {
      const count = counted.get(run.id)!;
      count.orders += 1;
      count.before += Number(before);
      count.after += Number(after);
    }
  }
  return [...counted.values()].filter(({ orders }) => orders > 0);
}

function streamOnce(stream: readonly StreamedRun[], { kinds, targetAlertRate, labels }: SimulationOptions) {
  const validated: ValidatedDetection[] = [];
  let report = reportWith(kinds, null);
  const verdicts: { run: StreamedRun; before: boolean; after: boolean }[] = [];
  const usual = reportWith(kinds, null);
  for (const [at, run] of stream.entries()) {
    if (at >= MIN_TRACES && (at - MIN_TRACES) % EVERY === 0) {
      const samples = stream.slice(Math.max(0, at - LAST_TRACES), at).toReversed();
      report = reportWith(kinds, adaptTraffic({ kinds, samples, validated, targetAlertRate }));
    }
    const result = report(run);
    for (const { key, confidence } of result.detections)
      if (validated.length < labels) validated.push({ key, confidence, isValid: run.isFailing });
    if (at >= MIN_TRACES) verdicts.push({ run, before: usual(run).isAlarm, after: result.isAlarm });
  }
  return verdicts;
}

interface ReportedRun {
  isAlarm: boolean;
  /** Detections that fire, without observations. */
  detections: { key: string; confidence: number }[];
}

/** The detections that the engine would report on a run (`fired` in `_kit/adapted-firing.ts`), from its scores alone. */
function reportWith(
  kinds: readonly AdaptableKind[],
  adaptation: TrafficAdaptation | null,
): (run: StreamedRun) => ReportedRun {
  const adapted = new Map(adaptation?.adapted.map((kind) => [`${kind.detector}/${kind.subtype}`, kind]));
  const risk = adaptation?.risk ?? null;
  const rank = risk === null ? null : riskRanking(risk.reference.map((row) => Float64Array.from(row)));
  return ({ signals, riskColumns }) => {
    const fired = kinds.flatMap((kind) => firedKind(kind, adapted.get(kind.key), signals));
    const own = rank === null || riskColumns === null ? 0 : rank(Float64Array.from(riskColumns));
    if (risk !== null && own >= risk.from) {
      const isAlarm = risk.warningFrom !== null && own >= risk.warningFrom;
      fired.push({ key: RISK_KIND, confidence: isAlarm ? 0.406 : 0.315, isAlarm });
    }
    return { isAlarm: fired.some(({ isAlarm }) => isAlarm), detections: fired };
  };
}

function firedKind(
  kind: AdaptableKind,
  adapted: TrafficAdaptation['adapted'][number] | undefined,
  signals: TraceSignals,
): { key: string; confidence: number; isAlarm: boolean }[] {
  const confidence = signals[kind.key];
  if (confidence === undefined) return [];
  const isCritical = kind.impact === 'critical' && confidence >= kind.sure;
  if (!isCritical && confidence < (adapted?.firing ?? kind.firing)) return [];
  const isAlarm = isCritical || confidence >= Math.min(kind.alarm, adapted?.warning ?? kind.alarm);
  return [{ key: kind.key, confidence, isAlarm }];
}
