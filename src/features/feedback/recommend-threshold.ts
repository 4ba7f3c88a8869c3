import { type Measurement, measure } from '../evaluation/measurement.ts';

/** Minimum labelled detections of a detector, and of either kind, for a recommendation. */
export const MIN_SAMPLES = 20;
export const MIN_EACH = 5;
/** Minimum labelled detections between the old threshold and the new one. */
const MIN_MOVED = 5;
/** Minimum labelled detections above the threshold for a promised precision. */
const MIN_FIRED = 10;
/** If the upper end of the interval of the real share is below this, and all have one confidence, the subtype is silenced. */
const MOSTLY_FALSE = 0.5;
/** A threshold that no confidence reaches. */
const SILENCE = 1;
/** A smaller gain in F1, on all labels or on the held-out ones, is not worth a change. */
const MIN_GAIN = 0.02;
const FOLDS = 5;

export interface LabelledConfidence {
  detectionId: string;
  /** As compared with a threshold: times `confidence_scaling`. */
  confidence: number;
  isReal: boolean;
  /** The current threshold for this detection, if it is not the common one. */
  firing?: number;
}

export type Goal = { kind: 'f1' } | { kind: 'precision'; target: number };

export interface Recommendation {
  action: 'raise' | 'lower' | 'keep' | 'none';
  /** Null if no change is recommended. */
  threshold: number | null;
  reason: string;
  samples: number;
  real: number;
  /** The labelled detections at the current and at the recommended threshold. */
  before: Measurement;
  after: Measurement | null;
  /** Labelled detections between the two. */
  moved: { labelled: number; real: number } | null;
}

/**
 * The best threshold for the labelled detections of one subtype. For F1: the cut with the
 * greatest F1, accepted only if a cut chosen in the same way on four fifths of the labels also beats the current
 * threshold by as much on the held-out fifth, summed over all five. For a precision: the lowest cut that reaches it, or, if
 * the detections are mostly false and share one confidence, as facts do, so that no cut separates them: a threshold above
 * every confidence. For F1 that would lose the real ones and is never recommended. Pure; the result does not depend on the order of the labels.
 */
export function recommendThreshold(labels: readonly LabelledConfidence[], current: number, goal: Goal): Recommendation {
  const real = labels.filter(({ isReal }) => isReal).length;
  const before = measure(labels.map((label) => claimAt(label, label.firing ?? current)));
  const known = { samples: labels.length, real, before };
  const unchanged = (action: 'keep' | 'none', reason: string): Recommendation => ({
    ...known,
    action,
    reason,
    threshold: null,
    after: null,
    moved: null,
  });
  const change = (best: number, toReason: (action: 'raise' | 'lower', moved: Moved) => string): Recommendation => {
    const changed = changedBy(labels, current, best);
    const moved = { labelled: changed.length, real: changed.filter(({ isReal }) => isReal).length };
    const action = best > current ? 'raise' : 'lower';
    return {
      ...known,
      action,
      threshold: best,
      after: measureAt(labels, best),
      moved,
      reason: toReason(action, moved),
    };
  };
  const missing = missingLabelsText(labels.length, real);
  const best = missing === null ? bestFor(labels, current, goal) : null;
  const objection = missing ?? objectionTo(labels, current, before, best, goal);
  if (best !== null && objection === null) return change(best, (action, moved) => reasonOf(action, moved, goal));
  if (goal.kind === 'precision' && isBestSilent(labels, current, before))
    return change(SILENCE, (_, moved) => reasonOfSilence(moved));
  return unchanged(best === null ? 'none' : 'keep', objection ?? '');
}

type Moved = NonNullable<Recommendation['moved']>;

function bestFor(labels: readonly LabelledConfidence[], current: number, goal: Goal): number | null {
  return goal.kind === 'f1' ? bestF1(labels, current) : lowestWith(labels, goal.target);
}

/** Labelled detections that fire under only one of the two. */
function changedBy(labels: readonly LabelledConfidence[], current: number, best: number): LabelledConfidence[] {
  return labels.filter((label) => claimAt(label, label.firing ?? current).predicted !== claimAt(label, best).predicted);
}

const NO_CHANGE = 'No change: no other threshold has a greater F1 on your feedback.';

function objectionTo(
  labels: readonly LabelledConfidence[],
  current: number,
  before: Measurement,
  best: number | null,
  goal: Goal,
): string | null {
  if (best === null) return `No threshold reaches the precision on ${MIN_FIRED} labelled detections.`;
  const movedCount = changedBy(labels, current, best).length;
  if (goal.kind === 'f1' && movedCount === 0) return NO_CHANGE;
  if (movedCount < MIN_MOVED)
    return `Fewer than ${MIN_MOVED} labelled detections lie between ${current} and the best threshold.`;
  return goal.kind === 'f1' ? objectionToF1(labels, current, before, measureAt(labels, best)) : null;
}

/** Whether the firing detections are mostly false, share one confidence, so that no threshold separates them, and a threshold of 1 silences them. */
function isBestSilent(labels: readonly LabelledConfidence[], current: number, { precision }: Measurement): boolean {
  const firing = labels.filter((label) => claimAt(label, label.firing ?? current).predicted);
  if (labels.length < MIN_SAMPLES || firing.length < MIN_FIRED || precision === null) return false;
  const confidences = new Set(firing.map(({ confidence }) => confidence));
  return precision.interval[1] < MOSTLY_FALSE && confidences.size === 1 && !confidences.has(SILENCE);
}

function reasonOfSilence({ labelled, real }: Moved): string {
  return `${labelled} labelled detections would no longer fire, ${real} of them real: all have the same confidence, so no other threshold divides them.`;
}

function missingLabelsText(samples: number, real: number): string | null {
  if (samples < MIN_SAMPLES)
    return `Needs feedback on ${MIN_SAMPLES} detections; there ${samples === 1 ? 'is' : 'are'} ${samples}.`;
  if (real < MIN_EACH) return `Needs ${MIN_EACH} detections that were real; there are ${real}.`;
  const falseCount = samples - real;
  return falseCount < MIN_EACH ? `Needs ${MIN_EACH} detections that were not real; there are ${falseCount}.` : null;
}

function objectionToF1(
  labels: readonly LabelledConfidence[],
  current: number,
  before: Measurement,
  after: Measurement,
): string | null {
  const [f1Before, f1After] = [before.f1?.value ?? 0, after.f1?.value ?? 0];
  if (f1After - f1Before < MIN_GAIN) return `No threshold would have gained ${MIN_GAIN} of F1.`;
  const held = heldOutF1(labels, current);
  if (held - f1Before >= MIN_GAIN) return null;
  return `The gain does not hold on detections left out of the choice (F1 ${held.toFixed(2)} against ${f1Before.toFixed(2)}).`;
}

function reasonOf(action: 'raise' | 'lower', moved: Moved, goal: Goal): string {
  const effect = action === 'raise' ? 'would no longer fire' : 'would fire as well';
  const aim = goal.kind === 'f1' ? 'the greatest F1' : `the lowest threshold with precision ${goal.target}`;
  return `${moved.labelled} labelled detections ${effect}, ${moved.real} of them real: ${aim} on your feedback.`;
}

/** Candidate cuts: between two adjacent confidences, and at the lowest. Outside the labelled range nothing is known. */
function cutsOf(labels: readonly LabelledConfidence[]): number[] {
  const values = [...new Set(labels.map(({ confidence }) => confidence))].sort((one, other) => one - other);
  return values.map((value, place) => (place === 0 ? value : cutBetween(values[place - 1]!, value)));
}

/** Three decimals, above the lower and not above the higher. */
function cutBetween(lower: number, higher: number): number {
  const middle = Math.round(((lower + higher) / 2) * 1000) / 1000;
  return middle > lower && middle <= higher ? middle : higher;
}

/** Ties go to the cut nearest to the current threshold. */
function bestF1(labels: readonly LabelledConfidence[], current: number): number {
  const scored = cutsOf(labels).map((cut) => ({ cut, f1: f1At(labels, cut) }));
  const [first] = scored.sort(
    (one, other) =>
      other.f1 - one.f1 || Math.abs(one.cut - current) - Math.abs(other.cut - current) || one.cut - other.cut,
  );
  return first!.cut;
}

function lowestWith(labels: readonly LabelledConfidence[], target: number): number | null {
  const reaches = (cut: number) => {
    const firing = labels.filter(({ confidence }) => confidence >= cut);
    return firing.length >= MIN_FIRED && firing.filter(({ isReal }) => isReal).length >= target * firing.length;
  };
  return cutsOf(labels).find(reaches) ?? null;
}

/** F1 of cuts that were chosen without the labels they are evaluated on. */
function heldOutF1(labels: readonly LabelledConfidence[], current: number): number {
  const sorted = [...labels].sort(
    (one, other) => one.confidence - other.confidence || (one.detectionId < other.detectionId ? -1 : 1),
  );
  const cuts = Array.from({ length: FOLDS }, (_, fold) =>
    bestF1(
      sorted.filter((_label, place) => place % FOLDS !== fold),
      current,
    ),
  );
  return measure(sorted.map((label, place) => claimAt(label, cuts[place % FOLDS]!))).f1?.value ?? 0;
}

function f1At(labels: readonly LabelledConfidence[], threshold: number): number {
  return measureAt(labels, threshold).f1?.value ?? 0;
}

function measureAt(labels: readonly LabelledConfidence[], threshold: number): Measurement {
  return measure(labels.map((label) => claimAt(label, threshold)));
}

function claimAt({ confidence, isReal }: LabelledConfidence, threshold: number) {
  return { predicted: confidence >= threshold, real: isReal };
}
