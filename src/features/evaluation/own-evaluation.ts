import { DETECTION_TYPES, type DetectionType } from '../../core/detection.ts';
import type { Prediction } from '../predictions/prediction.ts';
import { auroc } from './classification.ts';
import { type Claim, type Estimate, type Measurement, measure, rounded } from './measurement.ts';
import type { OwnLabels } from './own-labels.ts';
import { isAlarmed, isReportedBy, isScoredPositive } from './reported.ts';
import { wilsonInterval } from './wilson-interval.ts';

/** One labelled item and its prediction. */
export interface LabelledItem {
  kind: 'trace' | 'text' | 'text-pair';
  labels: OwnLabels;
  prediction: Prediction;
}

/** A share with its counts. */
export interface Share extends Estimate {
  n: number;
  hits: number;
}

export interface OwnDetector {
  detector: DetectionType;
  measurement: Measurement;
  /** Share of runs labelled as successful, and as failed, with a detection of `warning` or higher; null without such runs. */
  flaggedOk: Share | null;
  flaggedFailed: Share | null;
}

export interface OwnEvaluation {
  items: number;
  runs: { ok: number; failed: number; unlabelled: number };
  detectors: OwnDetector[];
  /** By any detector. */
  flaggedOk: Share | null;
  flaggedFailed: Share | null;
  /** How well `scores.failed` ranks failed runs above the others: 0.5 is chance. Null without both. */
  failedAuroc: { value: number; n: number } | null;
  /** Exact decisive step, and agent. */
  step: Share | null;
  agent: Share | null;
}

/** Accuracy of the program on labelled data. Pure. */
export function evaluateOwn(items: readonly LabelledItem[]): OwnEvaluation {
  const runs = items.filter(({ kind }) => kind === 'trace');
  const ok = runs.filter(({ labels }) => labels.failed === false);
  const failed = runs.filter(({ labels }) => labels.failed === true);
  return {
    items: items.length,
    runs: { ok: ok.length, failed: failed.length, unlabelled: runs.length - ok.length - failed.length },
    detectors: DETECTION_TYPES.map((detector) => ({
      detector,
      measurement: measure(items.flatMap((item) => claimOf(item, detector))),
      flaggedOk: flagged(ok, detector),
      flaggedFailed: flagged(failed, detector),
    })),
    flaggedOk: flagged(ok),
    flaggedFailed: flagged(failed),
    failedAuroc: failedAuroc([...ok, ...failed]),
    step: shareOfRight(runs, ({ labels, prediction }) =>
      labels.mistakeStep === null ? null : prediction.attribution?.step === labels.mistakeStep,
    ),
    agent: shareOfRight(runs, ({ labels, prediction }) =>
      labels.mistakeAgent === null ? null : isSameName(prediction.attribution?.agent, labels.mistakeAgent),
    ),
  };
}

/** At most one claim; none if the label or the prediction is missing. */
function claimOf({ kind, labels, prediction }: LabelledItem, detector: DetectionType): Claim[] {
  if (kind !== 'trace') return textClaim(kind, labels, prediction, detector);
  const real = realIn(labels, detector);
  return real === null ? [] : [{ predicted: isReportedBy(prediction.detections, [detector]), real }];
}

function realIn(
  { types, judgedTypes, isInjection, isHallucination }: OwnLabels,
  detector: DetectionType,
): boolean | null {
  if (types !== null && judgedTypes.includes(detector)) return types.includes(detector);
  if (detector === 'injection') return isInjection;
  return detector === 'hallucination' ? isHallucination : null;
}

/** A text alone can contain an attack; a text with sources can contradict them. */
function textClaim(
  kind: 'text' | 'text-pair',
  { isInjection, isHallucination }: OwnLabels,
  prediction: Prediction,
  detector: DetectionType,
): Claim[] {
  const judged = kind === 'text' ? 'injection' : 'hallucination';
  const real = kind === 'text' ? isInjection : isHallucination;
  const predicted = isScoredPositive(judged, prediction);
  return detector !== judged || real === null || predicted === null ? [] : [{ predicted, real }];
}

function flagged(runs: readonly LabelledItem[], detector?: DetectionType): Share | null {
  return shareOf(runs.filter(({ prediction }) => isAlarmed(prediction.detections, detector)).length, runs.length);
}

function shareOfRight(runs: readonly LabelledItem[], isRight: (run: LabelledItem) => boolean | null): Share | null {
  const answers = runs.map(isRight).filter((answer) => answer !== null);
  return shareOf(answers.filter(Boolean).length, answers.length);
}

function shareOf(hits: number, n: number): Share | null {
  if (n === 0) return null;
  const [low, high] = wilsonInterval(hits, n);
  return { value: rounded(hits / n), interval: [rounded(low), rounded(high)], hits, n };
}

function failedAuroc(runs: readonly LabelledItem[]): { value: number; n: number } | null {
  const judged = runs.flatMap(({ labels, prediction }) =>
    prediction.scores.failed === null ? [] : [{ score: prediction.scores.failed, label: labels.failed === true }],
  );
  const value = auroc(judged);
  return Number.isFinite(value) ? { value: rounded(value), n: judged.length } : null;
}

function isSameName(predicted: string | null | undefined, real: string): boolean {
  return predicted?.trim().toLowerCase() === real.trim().toLowerCase();
}
