import type { Estimate } from '../../features/evaluation/measurement.ts';
import type { OwnDetector, OwnEvaluation, Share } from '../../features/evaluation/own-evaluation.ts';
import { count } from '../views/amounts.ts';
import { facts } from '../views/facts.ts';
import type { Style } from '../views/style.ts';
import { type Column, table } from '../views/table.ts';

/** Detectors with labels or detections; the others would be empty rows. */
export function evaluationText(evaluation: OwnEvaluation, style: Style): string {
  const { items, runs, flaggedOk, flaggedFailed, failedAuroc, step, agent } = evaluation;
  const lines: [string, string | null][] = [
    ['judged', `${count(items)} labelled; runs: ${runs.ok} ok, ${runs.failed} failed, ${runs.unlabelled} unlabelled`],
    ['ok runs flagged', shareText(flaggedOk)],
    ['failed runs flagged', shareText(flaggedFailed)],
    [
      'risk of failure',
      failedAuroc && `AUROC ${failedAuroc.value.toFixed(3)} on ${count(failedAuroc.n)} runs (0.5 is chance)`,
    ],
    ['decisive step', shareText(step)],
    ['responsible agent', shareText(agent)],
  ];
  const shown = evaluation.detectors.filter(hasResults);
  const head = facts(
    lines.filter((line): line is [string, string] => line[1] !== null),
    style,
  );
  const rest = shown.length === 0 ? 'No detector has labels or detections.\n' : table(shown, COLUMNS, style);
  return `${head}\n${rest}\n${LEGEND}\n`;
}

const LEGEND =
  'Intervals are 95 % (Wilson). REAL: labelled as faulty. Precision, recall and F1 count detections of info or higher;\nflagged counts warning or higher.';

function hasResults({ measurement, flaggedOk, flaggedFailed }: OwnDetector): boolean {
  const { positives, falsePositives } = measurement;
  return positives + falsePositives + (flaggedOk?.hits ?? 0) + (flaggedFailed?.hits ?? 0) > 0;
}

const right = { align: 'right' } as const;

const COLUMNS: Column<OwnDetector>[] = [
  { title: 'detector', text: ({ detector }) => detector },
  { title: 'n', text: ({ measurement }) => count(measurement.samples), ...right },
  { title: 'real', text: ({ measurement }) => count(measurement.positives), ...right },
  { title: 'found', text: ({ measurement }) => count(measurement.truePositives), ...right },
  { title: 'false', text: ({ measurement }) => count(measurement.falsePositives), ...right },
  { title: 'precision', text: ({ measurement }) => estimateText(measurement.precision) },
  { title: 'recall', text: ({ measurement }) => estimateText(measurement.recall) },
  { title: 'f1', text: ({ measurement }) => estimateText(measurement.f1) },
  { title: 'ok flagged', text: ({ flaggedOk }) => ratio(flaggedOk), ...right },
  { title: 'failed flagged', text: ({ flaggedFailed }) => ratio(flaggedFailed), ...right },
];

function estimateText(figure: Estimate | null): string {
  if (figure === null) return '–';
  const [low, high] = figure.interval.map((bound) => bound.toFixed(2));
  return `${figure.value.toFixed(2)} [${low}–${high}]`;
}

function shareText(share: Share | null): string | null {
  return share && `${share.hits} of ${count(share.n)} = ${estimateText(share)}`;
}

function ratio(share: Share | null): string {
  return share === null ? '–' : `${share.hits}/${share.n}`;
}
