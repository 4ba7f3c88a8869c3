import type { Estimate } from '../../features/evaluation/measurement.ts';
import type { OwnDetector, OwnEvaluation, Share } from '../../features/evaluation/own-evaluation.ts';
import type { Labelled } from './labelled.ts';

/** The whole evaluation with wire names; every detector has a row. */
export function evaluationJson(evaluation: OwnEvaluation, { problems, unlabelled, unmatched }: Labelled) {
  const { items, runs, detectors, flaggedOk, flaggedFailed, failedAuroc, step, agent } = evaluation;
  return {
    items,
    runs,
    unlabelled,
    labels_without_trace: unmatched,
    problems,
    flagged_ok: share(flaggedOk),
    flagged_failed: share(flaggedFailed),
    failed_auroc: failedAuroc,
    decisive_step: share(step),
    responsible_agent: share(agent),
    detectors: detectors.map(detectorJson),
  };
}

function detectorJson({ detector, measurement, flaggedOk, flaggedFailed }: OwnDetector) {
  const { samples, positives, truePositives, falsePositives, falseNegatives, trueNegatives } = measurement;
  return {
    detector,
    samples,
    positives,
    true_positives: truePositives,
    false_positives: falsePositives,
    false_negatives: falseNegatives,
    true_negatives: trueNegatives,
    precision: estimate(measurement.precision),
    recall: estimate(measurement.recall),
    f1: estimate(measurement.f1),
    flagged_ok: share(flaggedOk),
    flagged_failed: share(flaggedFailed),
  };
}

function estimate(figure: Estimate | null) {
  return figure === null ? null : { value: figure.value, interval: figure.interval };
}

function share(figure: Share | null) {
  return figure === null ? null : { ...estimate(figure), hits: figure.hits, n: figure.n };
}
