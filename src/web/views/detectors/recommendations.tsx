import type { FeedbackFigures, Recommendation } from '../../../client/misstep-client.generated.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { may, tenantId } from '../../data/session.ts';
import { count, percent } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { tell, tellFailure } from '../../parts/toasts.tsx';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';

/** Firing thresholds that feedback recommends, one for each subtype with feedback, and what they would have changed. */
export function Recommendations({ row: { recommendations } }: { row: DetectorRow }) {
  if (recommendations.length === 0) return null;
  return (
    <section class={style.recommendations} aria-labelledby="recommendations">
      <h3 id="recommendations">What your feedback recommends</h3>
      <ul>
        {recommendations.map((one) => (
          <li key={one.subtype}>
            <RecommendedThreshold recommendation={one} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function RecommendedThreshold({ recommendation }: { recommendation: Recommendation }) {
  const { subtype, recommended, current, reason, apply, before, after } = recommendation;
  return (
    <>
      <p>
        <strong>{subtype.replaceAll('_', ' ')}</strong>{' '}
        {recommended === null
          ? `reports from ${current.toFixed(2)}: no change`
          : `reports from ${current.toFixed(2)}; recommended: ${shown(recommended)}`}
      </p>
      <p class={style.unknown}>{reason}</p>
      {after && (
        <p>
          Precision on your feedback: {precisionText(before)} now, {precisionText(after)} with the change.
        </p>
      )}
      {apply && may('write') && (
        <Button onClick={() => void save(recommendation, apply.body)}>Report from {shown(recommended)}</Button>
      )}
    </>
  );
}

/** Recommendations have up to three decimals. */
function shown(threshold: number | null): string {
  return threshold === null ? '' : String(threshold);
}

function precisionText({ precision, true_positives, false_positives }: FeedbackFigures): string {
  const reported = true_positives + false_positives;
  return precision === null ? 'none reported' : `${percent(precision)} of ${count(reported)} reported`;
}

async function save({ subtype }: Recommendation, body: Record<string, number>): Promise<void> {
  const tenant_id = tenantId.value;
  if (tenant_id === null) return;
  try {
    await server.settings.changeOverrides({ tenant_id, body });
    tell(`The threshold of ${subtype.replaceAll('_', ' ')} is saved. It counts from the next trace.`);
  } catch (error) {
    tellFailure('The threshold could not be saved', error);
  }
  queries.invalidate('detectors/');
}
