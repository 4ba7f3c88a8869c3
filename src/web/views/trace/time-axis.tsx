import { duration } from '../../parts/amounts.ts';
import { type TimeScale, ticksOf } from '../../trace-model/time-scale.ts';
import styles from './time-axis.module.css';

const MAX_TICKS = 6;
/** From this position on, a label is to the left of its tick, where it is not cut off. */
const END_LABEL = 0.9;

/** The ticks and the compressed gaps of the axis as lines and areas behind the bars. */
export function TimeLines({ scale }: { scale: TimeScale }) {
  return (
    <span class={styles.lines}>
      {ticksOf(scale, MAX_TICKS).map((time) => (
        <span key={time} class={styles.line} style={{ left: `${scale.toUnit(time) * 100}%` }} />
      ))}
      {scale.gaps.map(({ from, to }) => (
        <span key={`gap-${from}`} class={styles.gap} style={gapPosition(scale, from, to)} />
      ))}
    </span>
  );
}

function gapPosition(scale: TimeScale, from: number, to: number) {
  return { left: `${scale.toUnit(from) * 100}%`, width: `${(scale.toUnit(to) - scale.toUnit(from)) * 100}%` };
}

/** Round times above the bars. A compressed gap shows its duration. */
export function TimeAxis({ scale }: { scale: TimeScale }) {
  return (
    <span class={styles.axis}>
      {ticksOf(scale, MAX_TICKS).map((time) => (
        <span
          key={time}
          class={`${styles.tick} ${scale.toUnit(time) > END_LABEL ? styles.end : ''}`}
          style={{ left: `${scale.toUnit(time) * 100}%` }}
        >
          {time === 0 ? '0' : duration(time)}
        </span>
      ))}
      {scale.gaps.map(({ from, to }) => (
        <span
          key={`gap-${from}`}
          class={styles.gap}
          style={gapPosition(scale, from, to)}
          title={`no activity for ${duration(to - from)}; the gap is compressed`}
        >
          <span class={styles.wait}>{duration(to - from)}</span>
        </span>
      ))}
    </span>
  );
}
