import type { FeedbackFigures, Recommendation } from '../../../client/misstep-client.generated.ts';
import { hasScope } from '../../data/session.ts';
import { count, percent } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';
import { saveThreshold } from './save-threshold.ts';
import { recommendationTexts } from './subtype-threshold.ts';

/** Thresholds recommended from feedback, one for each subtype with feedback, and their effect on past detections. */
export function Recommendations({ row: { recommendations, threshold } }: { row: DetectorRow }) {
  if (recommendations.length === 0) return null;
  return (
    <section class={style.recommendations} aria-labelledby="recommendations">
      <h3 id="recommendations">What your feedback recommends</h3>
      <ul>
        {recommendations.map((recommendation) => (
          <li key={recommendation.subtype}>
            <RecommendedThreshold
              recommendation={recommendation}
              override={threshold?.subtypes[recommendation.subtype]?.override ?? null}
            />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface RecommendedThresholdProps {
  recommendation: Recommendation;
  /** The threshold that was set for the subtype; null for none. */
  override: number | null;
}

function RecommendedThreshold({ recommendation, override }: RecommendedThresholdProps) {
  const { detector, subtype, recommended, reason, before, after } = recommendation;
  const texts = recommendationTexts(recommendation);
  const name = subtype.replaceAll('_', ' ');
  const thresholdOverride = { key: `${detector}/${subtype}`, name, previous: override };
  return (
    <>
      <p>
        <strong>{name}</strong> {texts.summary}
      </p>
      <p class={style.unknown}>{reason}</p>
      {after && (
        <p>
          Precision on your feedback: {precisionText(before)} now, {precisionText(after)} with the change.
        </p>
      )}
      {hasScope('write') && (recommended !== null || override !== null) && (
        <div class={style.values}>
          {recommended !== null && (
            <Button onClick={() => void saveThreshold(thresholdOverride, recommended)}>{texts.action}</Button>
          )}
          {override !== null && (
            <Button onClick={() => void saveThreshold(thresholdOverride, null)}>
              Use the threshold without an override
            </Button>
          )}
        </div>
      )}
    </>
  );
}

function precisionText({ precision, true_positives, false_positives }: FeedbackFigures): string {
  const reported = true_positives + false_positives;
  return precision === null ? 'none reported' : `${percent(precision)} of ${count(reported)} reported`;
}
