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

type CountedFigures = Pick<DiagnosticsDetectorStatusOutput['items'][number], 'counted_as_real' | 'subtypes'>;

/**
 * Titles of the subtypes that the labels ask for, if all of them are previews: then the detector finds none of the failures,
 * whatever its other subtypes find. Empty otherwise.
 */
export function previewsCounted({ counted_as_real, subtypes }: CountedFigures): string[] {
  const [, found = ''] = (counted_as_real ?? '').split('; ');
  const named = [...found.matchAll(/`(\w+)`/g)].map(([, name]) => subtypes.find(({ subtype }) => subtype === name));
  return named.every((subtype) => subtype?.maturity === 'preview') ? named.map((subtype) => subtype!.title) : [];
}

/** The measured subtype that was detected in most failing or attacked runs; undefined without one. */
export function measuredSubtype({ subtypes }: Pick<CountedFigures, 'subtypes'>) {
  return subtypes
    .flatMap(({ maturity, title, left_out_failing: share }) =>
      maturity === 'measured' && share !== null && share.could_fire > 0 ? [{ title, ...share }] : [],
    )
    .sort((a, b) => b.fired / b.could_fire - a.fired / a.could_fire)[0];
}

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

/** Why the recall is that of another subtype than the one that the labels ask for; null if it is not. */
export function previewLabelsText(figures: LabelledFigures & CountedFigures): string | null {
  const previews = previewsCounted(figures);
  if (previews.length === 0) return null;
  const asked = `The labels ask for “${previews.join('”, “')}”, a preview that is not reported by default: ${recallText(figures)}.`;
  const best = measuredSubtype(figures);
  return best ? `${asked} The recall above is the share of failing or attacked runs with “${best.title}”.` : asked;
}
