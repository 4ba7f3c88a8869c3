import type { Detection, DetectionType } from '../../src/core/detection.ts';
import { isAtLeast } from '../../src/core/severity.ts';
import { wilsonInterval } from '../../src/features/evaluation/wilson-interval.ts';
import type { Judgement } from './judge-record.ts';
import type { Outcome, TraceSet } from './outcome.ts';

/** How often something happened, with its 95 % Wilson interval; rounded, so that the same data give the same file. */
export interface Rate {
  n: number;
  fired: number;
  rate: number;
  interval: [number, number];
}

/** One record's verdict, as far as it is counted. */
export interface Verdict {
  id: string;
  set: TraceSet;
  outcome: Outcome;
  bytes: number;
  judgement: Judgement;
}

export interface GroupReport {
  set: TraceSet;
  outcome: Outcome;
  n: number;
  atWarning: Rate;
  /** At `warning`, counting only detectors that are on by default by this run's own healthy rates. */
  atWarningByDefault: Rate;
  atCritical: Rate;
  msPerTrace: number;
  msPer100kB: number;
  maxMs: number;
  crashes: number;
}

export interface DetectorReport {
  /** Over the healthy runs of all sets together. */
  healthy: Rate;
  failing: Rate;
  bySet: { set: TraceSet; outcome: Outcome; rate: Rate }[];
  notApplicable: number;
}

/** A detector that speaks up on more healthy runs than this is off by default. */
export const TOLERATED_HEALTHY_RATE = 0.01;

export function rateOf(fired: number, n: number): Rate {
  const [low, high] = wilsonInterval(fired, n);
  return { n, fired, rate: round(n === 0 ? 0 : fired / n), interval: [round(low), round(high)] };
}

export function isAlarm(detection: Detection): boolean {
  return isAtLeast(detection.severity, 'warning');
}

export function detectorReports(
  verdicts: readonly Verdict[],
  types: readonly DetectionType[],
): Map<DetectionType, DetectorReport> {
  const groups = groupsOf(verdicts);
  return new Map(
    types.map((type) => {
      const firedIn = (some: readonly Verdict[]) =>
        rateOf(some.filter((verdict) => hasAlarm(verdict, type)).length, some.length);
      return [
        type,
        {
          healthy: firedIn(verdicts.filter(({ outcome }) => outcome === 'healthy')),
          failing: firedIn(inHealthySets(verdicts).filter(({ outcome }) => outcome === 'failing')),
          bySet: groups.map(({ set, outcome, members }) => ({ set, outcome, rate: firedIn(members) })),
          notApplicable: verdicts.filter(({ judgement }) => judgement.notApplicable.includes(type)).length,
        },
      ];
    }),
  );
}

export function groupReports(verdicts: readonly Verdict[], offByDefault: ReadonlySet<DetectionType>): GroupReport[] {
  return groupsOf(verdicts).map(({ set, outcome, members }) => {
    const share = (isHit: (detection: Detection) => boolean) =>
      rateOf(members.filter(({ judgement }) => judgement.detections.some(isHit)).length, members.length);
    const ms = sum(members, ({ judgement }) => judgement.ms);
    return {
      set,
      outcome,
      n: members.length,
      atWarning: share(isAlarm),
      atWarningByDefault: share((detection) => isAlarm(detection) && !offByDefault.has(detection.type)),
      atCritical: share(({ severity }) => severity === 'critical'),
      msPerTrace: ms / members.length,
      msPer100kB: (ms * 100_000) / sum(members, ({ bytes }) => bytes),
      maxMs: Math.max(...members.map(({ judgement }) => judgement.ms)),
      crashes: sum(members, ({ judgement }) => judgement.crashes.length),
    };
  });
}

/** Those that fire on too many healthy runs, all sets together. */
export function offByDefault(reports: ReadonlyMap<DetectionType, DetectorReport>): Set<DetectionType> {
  return new Set([...reports].filter(([, { healthy }]) => healthy.rate > TOLERATED_HEALTHY_RATE).map(([type]) => type));
}

export function hasAlarm({ judgement }: Verdict, type: DetectionType): boolean {
  return judgement.detections.some((detection) => detection.type === type && isAlarm(detection));
}

/** Failing runs are compared with healthy ones of the same sets only. */
function inHealthySets(verdicts: readonly Verdict[]): Verdict[] {
  const sets = new Set(verdicts.filter(({ outcome }) => outcome === 'healthy').map(({ set }) => set));
  return verdicts.filter(({ set }) => sets.has(set));
}

function groupsOf(verdicts: readonly Verdict[]): { set: TraceSet; outcome: Outcome; members: Verdict[] }[] {
  const groups = Map.groupBy(verdicts, ({ set, outcome }) => `${set} ${outcome}`);
  return [...groups.values()].map((members) => ({ set: members[0]!.set, outcome: members[0]!.outcome, members }));
}

function sum<T>(items: readonly T[], measure: (item: T) => number): number {
  return items.reduce((total, item) => total + measure(item), 0);
}

function round(value: number): number {
  return Math.round(value * 1e5) / 1e5;
}
