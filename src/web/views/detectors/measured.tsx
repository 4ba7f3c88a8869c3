import type { Interval } from '../../../client/misstep-client.generated.ts';
import { count, percent } from '../../parts/amounts.ts';
import style from './detectors-view.module.css';

interface MeasuredProps {
  name: string;
  value: number | null;
  interval: Interval | null;
  samples: number;
}

/** A measured rate with its 95 % confidence interval and the number of samples. */
export function Measured({ name, value, interval, samples }: MeasuredProps) {
  if (value === null) return <Unknown text="no labelled data" />;
  const range = interval === null ? '' : `, 95 % interval ${percent(interval[0])} to ${percent(interval[1])}`;
  return (
    <span class={style.measured}>
      <svg viewBox="-4 0 108 12" width="108" height="12" role="img" aria-label={`${name} ${percent(value)}${range}`}>
        <rect class={style.track} x="0" y="5" width="100" height="2" />
        {interval && (
          <path
            class={style.whisker}
            d={`M${interval[0] * 100} 2v8M${interval[0] * 100} 6H${interval[1] * 100}M${interval[1] * 100} 2v8`}
          />
        )}
        <circle class={style.point} cx={value * 100} cy="6" r="3" />
      </svg>
      {percent(value)} <span class={style.unknown}>of {count(samples)}</span>
    </span>
  );
}

/** A placeholder for a missing figure, with the reason. */
export function Unknown({ text }: { text: string }) {
  return (
    <span class={style.unknown} role="img" aria-label={text} title={text}>
      –
    </span>
  );
}
