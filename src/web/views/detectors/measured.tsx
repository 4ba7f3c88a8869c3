import type { FeedbackStatsOutput, Interval } from '../../../client/misstep-client.generated.ts';
import { count, percent } from '../../parts/amounts.ts';
import type { DetectorRow } from './detector-row.ts';
import style from './detectors-view.module.css';
import { measuredSubtype, precisionText, previewsCounted, recallText } from './figure-texts.ts';

interface MeasuredProps {
  name: string;
  value: number;
  interval: Interval | null;
  /** What the rate was counted on: `5 of 22 failures`. */
  counted: string;
}

/** A measured rate with its 95 % confidence interval and its counts. */
export function Measured({ name, value, interval, counted }: MeasuredProps) {
  const range = interval === null ? '' : `, 95 % interval ${percent(interval[0])} to ${percent(interval[1])}`;
  return (
    <>
      <span class={style.measured}>
        <svg viewBox="-4 0 72 12" width="72" height="12" role="img" aria-label={`${name} ${percent(value)}${range}`}>
          <title>{`${percent(value)}${range}`}</title>
          <rect class={style.track} x="0" y="5" width="64" height="2" />
          {interval && (
            <path
              class={style.whisker}
              d={`M${interval[0] * 64} 2v8M${interval[0] * 64} 6H${interval[1] * 64}M${interval[1] * 64} 2v8`}
            />
          )}
          <circle class={style.point} cx={value * 64} cy="6" r="3" />
        </svg>
        {percent(value)}
      </span>
      <span class={style.second}>{counted}</span>
    </>
  );
}

/** The share of labelled failures that the detector reports. */
export function Recall({ figures }: { figures: DetectorRow['measured'] }) {
  if (figures && previewsCounted(figures).length > 0) return <RecallOfPreviews figures={figures} />;
  if (!figures || figures.recall === null) return <Unknown text={recallText(figures)} />;
  return (
    <Measured name="Recall" value={figures.recall} interval={figures.recall_interval} counted={recallText(figures)} />
  );
}

/** Labels that only a preview reports say nothing about the reported subtypes: the best of these is shown. */
function RecallOfPreviews({ figures }: { figures: NonNullable<DetectorRow['measured']> }) {
  const best = measuredSubtype(figures);
  if (!best) return <Unknown text="not measured" />;
  return (
    <>
      {percent(best.fired / best.could_fire)}
      <span class={style.second}>
        found in {count(best.fired)} of {count(best.could_fire)} failing or attacked runs
      </span>
    </>
  );
}

/** The share of the reports on labelled runs that are labelled. */
export function Precision({ figures }: { figures: DetectorRow['measured'] }) {
  if (figures && previewsCounted(figures).length > 0) return <Unknown text="not measured" />;
  if (!figures || figures.precision === null) return <Unknown text={precisionText(figures)} />;
  return (
    <Measured
      name="Precision"
      value={figures.precision}
      interval={figures.precision_interval}
      counted={precisionText(figures)}
    />
  );
}

/** The share of the detections with feedback that were marked as right. */
export function FeedbackPrecision({ feedback }: { feedback: FeedbackStatsOutput['items'][number] | undefined }) {
  if (feedback === undefined || feedback.precision === null) return <Unknown text="no feedback" />;
  return (
    <Measured
      name="Precision by feedback"
      value={feedback.precision}
      interval={feedback.interval.precision}
      counted={`${count(feedback.samples)} with feedback`}
    />
  );
}

/** The reason why a figure is missing. */
export function Unknown({ text }: { text: string }) {
  return <span class={style.unknown}>{text}</span>;
}
