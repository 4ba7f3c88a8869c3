import { AlarmCount } from './alarm-count.ts';
import { type LabelVerdict, labelVerdict } from './label-verdict.ts';
import type { AdaptableKind, TraceSignals, ValidatedDetection } from './traffic.ts';

/** Minimum number of traces from which usual behavior can be estimated. */
export const MIN_TRACES = 100;
export const DEFAULT_TARGET_ALERT_RATE = 0.05;

/** A detection below this share of its usual alarm confidence never fires, however rare it is. */
const LOWEST_SHARE = 0.25;
/** A kind whose alert rate exceeds this share of the target alert rate is usual in this traffic and is not lowered. */
const USUAL_SHARE = 0.5;
const USUAL_SHARE_OF_MODEL = 0.2;

export interface AdaptedKind {
  detector: string;
  subtype: string;
  direction: 'lowered' | 'raised';
  /** Firing confidence without and with adaptation. */
  default: number;
  firing: number;
  /** Confidence from which it is a `warning`; `null` if the normal rule applies. */
  warning: number | null;
  /** Traces on which it reaches the adapted confidence. */
  matches: number;
  valid: number;
  invalid: number;
  reason: string;
}

export interface Adaptation {
  traces: number;
  /** Share of these traces with a `warning` or higher, without and with adaptation. */
  alertRate: { before: number; after: number };
  adapted: AdaptedKind[];
  /** Whether each trace, in the given order, has a `warning` or higher with adaptation. */
  alarmed: boolean[];
}

export interface AdaptationInput {
  kinds: readonly AdaptableKind[];
  /** The last traces, in any order. */
  traces: readonly TraceSignals[];
  validated: readonly ValidatedDetection[];
  /** Share of traces that may have a `warning` or higher. */
  targetAlertRate: number;
  /** Below this number of traces nothing is adapted. */
  minTraces?: number;
  /** Share of the remaining alert rate that rare detections may use; all of it if omitted. */
  fillShare?: number;
}

/**
 * Adapts the firing confidence of each kind of detection to this traffic. First, a kind whose validated detections are mostly
 * false is raised above these. Then, while the alert rate exceeds its target, the kind that alarms most is raised step by
 * step. Last, while the alert rate is below its target, the most confident detections below their threshold are lowered to
 * a warning, except kinds that are usual in this traffic and previews that users did not validate as real. Facts, and
 * critical or equally confident detections, fire as before. Pure and deterministic.
 */
export function adaptFiring(input: AdaptationInput): Adaptation {
  const { kinds, traces, validated, targetAlertRate } = input;
  const alarms = new AlarmCount(kinds, traces);
  const before = alarms.share();
  if (traces.length < (input.minTraces ?? MIN_TRACES))
    return { traces: traces.length, alertRate: { before, after: before }, adapted: [], alarmed: alarms.alarmed() };
  const labels = Map.groupBy(validated, ({ key }) => key);
  const measured = kinds.filter(({ level }) => level === 'measured');
  const verdicts = new Map(kinds.map(({ key }) => [key, labelVerdict(labels.get(key) ?? [])]));
  const raised = new Map([
    ...raiseDoubtful(measured, verdicts, alarms),
    ...raiseTooFrequent(measured, verdicts, alarms, targetAlertRate),
  ]);
  const open = kinds.filter((kind) => kind.level !== 'fact' && kind.impact !== 'info' && !raised.has(kind));
  const room = Math.max(0, targetAlertRate - alarms.share()) * (input.fillShare ?? 1);
  const lowered = lowerMostConfident(open, verdicts, alarms, { target: targetAlertRate, limit: alarms.share() + room });
  const adapted = kinds.flatMap((kind) => {
    const cut = raised.get(kind) ?? lowered.get(kind);
    if (cut === undefined) return [];
    const [alarmed, matches] = [kind.alarm, cut].map((confidence) => alarms.tracesFrom(kind, confidence));
    const facts = { cut, alarmed: alarmed!, matches: matches!, traces: traces.length, ...verdicts.get(kind.key)! };
    return [raised.has(kind) ? toRaised(kind, facts) : toLowered(kind, facts)];
  });
  return { traces: traces.length, alertRate: { before, after: alarms.share() }, adapted, alarmed: alarms.alarmed() };
}

type Verdicts = ReadonlyMap<string, LabelVerdict>;

function raiseDoubtful(
  kinds: readonly AdaptableKind[],
  verdicts: Verdicts,
  alarms: AlarmCount,
): Map<AdaptableKind, number> {
  const raised = new Map<AdaptableKind, number>();
  for (const kind of kinds) {
    const cut = verdicts.get(kind.key)!.doubtfulBelow;
    if (cut === null || cut <= kind.firing) continue;
    alarms.move(kind, Math.max(cut, kind.alarm));
    raised.set(kind, cut);
  }
  return raised;
}

/** Raises kinds whose own alert rate exceeds the target, the most frequent first. */
function raiseTooFrequent(
  kinds: readonly AdaptableKind[],
  verdicts: Verdicts,
  alarms: AlarmCount,
  target: number,
): Map<AdaptableKind, number> {
  const raised = new Map<AdaptableKind, number>();
  const open = kinds.filter(({ key, impact }) => impact !== 'info' && !verdicts.get(key)!.isTrusted);
  while (alarms.share() > target) {
    const tooFrequent = open.flatMap((kind) => {
      const [share, next] = [alarms.shareOf(kind), alarms.nextAbove(kind)];
      return share > target && next !== null && next <= kind.sure ? [{ kind, share, next }] : [];
    });
    const [worst] = tooFrequent.sort((one, other) => other.share - one.share);
    if (worst === undefined) break;
    alarms.move(worst.kind, worst.next);
    raised.set(worst.kind, worst.next);
  }
  return raised;
}

function lowerMostConfident(
  kinds: readonly AdaptableKind[],
  verdicts: Verdicts,
  alarms: AlarmCount,
  { target, limit }: { target: number; limit: number },
): Map<AdaptableKind, number> {
  const isTrusted = ({ key }: AdaptableKind) => verdicts.get(key)!.isTrusted;
  const steps = kinds
    .flatMap((kind) => alarms.stepsBelow(kind, kind.usual * LOWEST_SHARE).map((step) => ({ kind, ...step })))
    .filter(({ kind, share }) => isTrusted(kind) || (kind.level === 'measured' && share <= target * usualShare(kind)))
    .sort(
      (one, other) =>
        Number(isTrusted(other.kind)) - Number(isTrusted(one.kind)) ||
        other.confidence / other.kind.usual - one.confidence / one.kind.usual ||
        one.share - other.share,
    );
  const lowered = new Map<AdaptableKind, number>();
  for (const { kind, confidence } of steps) {
    if (alarms.shareWith(kind, confidence) > limit) continue;
    alarms.move(kind, confidence);
    lowered.set(kind, confidence);
  }
  return lowered;
}

function usualShare({ isModel }: AdaptableKind): number {
  return isModel ? USUAL_SHARE_OF_MODEL : USUAL_SHARE;
}

interface Facts extends LabelVerdict {
  cut: number;
  /** Traces on which it alarmed before. */
  alarmed: number;
  matches: number;
  traces: number;
}

function toRaised(kind: AdaptableKind, facts: Facts): AdaptedKind {
  const { cut, matches, traces, valid, invalid, doubtfulBelow } = facts;
  const why =
    doubtfulBelow === null
      ? `it alarmed on ${percent(facts.alarmed, traces)} of them`
      : `${invalid} of ${valid + invalid} validated are false`;
  return {
    detector: kind.type,
    subtype: kind.subtype,
    direction: 'raised',
    default: kind.firing,
    firing: cut,
    warning: null,
    matches,
    valid,
    invalid,
    reason: `${count(traces)} traces, ${why}: ${kind.firing.toFixed(2)} -> ${cut.toFixed(2)}`,
  };
}

function toLowered(kind: AdaptableKind, { cut, matches, traces, valid, invalid, isTrusted }: Facts): AdaptedKind {
  const why = isTrusted
    ? `${valid} of ${valid + invalid} validated are real`
    : `only ${matches} of them reach ${cut.toFixed(2)}`;
  return {
    detector: kind.type,
    subtype: kind.subtype,
    direction: 'lowered',
    default: kind.firing,
    firing: Math.min(kind.firing, cut),
    warning: cut,
    matches,
    valid,
    invalid,
    reason: `${count(traces)} traces, ${why}: alarms from ${kind.usual.toFixed(2)} -> ${cut.toFixed(2)}`,
  };
}

function percent(part: number, whole: number): string {
  return `${Math.round((100 * part) / whole)} %`;
}

function count(amount: number): string {
  return amount.toLocaleString('en-US');
}
