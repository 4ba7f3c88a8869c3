import type { DiagnosticsDetectorStatusOutput } from '../../../client/misstep-client.generated.ts';
import { count, pluralize } from '../../parts/amounts.ts';

export type LabelledFigures = Pick<
  DiagnosticsDetectorStatusOutput['items'][number],
  | 'precision'
  | 'precision_interval'
  | 'recall'
  | 'recall_interval'
  | 'data_set'
  | 'unit'
  | 'sample_count'
  | 'positive_count'
  | 'found_count'
  | 'reported_count'
>;

/** `found 5 of 22 failures in 74 runs`. */
export function recallText(figures: LabelledFigures | undefined): string {
  if (!figures || figures.data_set === null) return 'no labels';
  const { found_count, positive_count, sample_count, unit } = figures;
  return `found ${count(found_count)} of ${pluralize(positive_count, 'failure')} in ${pluralize(sample_count, unit ?? 'run')}`;
}

/** `5 of 6 reports labelled`. Without a precision: the reason. */
export function precisionText(figures: LabelledFigures | undefined): string {
  if (!figures || figures.data_set === null) return 'no labels';
  const { found_count, reported_count, precision } = figures;
  if (reported_count === 0) return 'reported nothing';
  if (precision === null) return 'not counted: its labels are incomplete';
  return `${count(found_count)} of ${pluralize(reported_count, 'report')} labelled`;
}
