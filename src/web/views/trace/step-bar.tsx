import { duration } from '../../parts/amounts.ts';
import { kindGroup } from '../../parts/kind-glyph.tsx';
import { barLabelPlace } from '../../trace-model/bar-label.ts';
import { kindOf, STATUS_ERROR } from '../../trace-model/columns.ts';
import type { FoldTotals } from '../../trace-model/fold-totals.ts';
import type { TimeScale } from '../../trace-model/time-scale.ts';
import styles from './step-bar.module.css';
import type { TraceState } from './trace-state.ts';

interface BarProps {
  state: TraceState;
  step: number;
  scale: TimeScale;
  /** The duration beside the bar; null for none. */
  label: string | null;
}

/** The time of a step as a bar: hatched for an error, open on the right if no end was sent. */
export function StepBar({ state, step, scale, label }: BarProps) {
  const columns = state.columns.value;
  const start = columns.start[step]!;
  if (Number.isNaN(start)) return null;
  const from = clamp(scale.toUnit(start));
  const to = clamp(scale.toUnit(state.shownEnd.value[step]!));
  if (to <= 0 && scale.toUnit(state.shownEnd.value[step]!) < 0) return <span class={styles.earlier} />;
  if (from >= 1 && scale.toUnit(start) > 1) return <span class={styles.later} />;
  const isOpen = Number.isNaN(columns.end[step]!);
  const kindClass = styles[kindGroup(kindOf(columns, step))];
  const isFailed = columns.status[step] === STATUS_ERROR;
  const classes = [
    styles.bar,
    kindClass,
    label === null ? '' : styles.tall,
    isFailed ? styles.error : '',
    isOpen ? styles.open : '',
  ];
  return (
    <>
      <span
        class={classes.join(' ')}
        style={{ left: `${from * 100}%`, width: `${(to - from) * 100}%` }}
        title={`starts at ${duration(start)}${isOpen ? ', no end was sent' : ''}`}
      />
      <BarLabel from={from} to={to} text={label} insideClass={`${kindClass} ${isFailed ? styles.failed : ''}`} />
    </>
  );
}

interface BarLabelProps {
  from: number;
  to: number;
  text: string | null;
  /** Class with the colour of the bar, behind a text inside of it. */
  insideClass: string;
}

/** The duration of a bar, where it is not cut off. */
function BarLabel({ from, to, text, insideClass }: BarLabelProps) {
  if (text === null) return null;
  const place = barLabelPlace(from, to);
  const position =
    place === 'after' ? { left: `${to * 100}%` } : { right: `${(1 - (place === 'before' ? from : to)) * 100}%` };
  return (
    <span class={`${styles.label} ${place === 'inside' ? `${styles.inside} ${insideClass}` : ''}`} style={position}>
      {text}
    </span>
  );
}

/** Horizontal resolution of a fold's bars. */
const RESOLUTION = 500;

/** The bars of all members of a fold, as one path. */
export function FoldBars({ state, totals, step, scale, label }: BarProps & { totals: FoldTotals }) {
  const columns = state.columns.value;
  const isCovered = new Uint8Array(RESOLUTION);
  for (const member of totals.members) {
    const [from, to] = [scale.toUnit(columns.start[member]!), scale.toUnit(state.shownEnd.value[member]!)];
    if (!(to >= 0 && from <= 1)) continue;
    isCovered.fill(1, Math.floor(clamp(from) * (RESOLUTION - 1)), Math.floor(clamp(to) * (RESOLUTION - 1)) + 1);
  }
  const first = isCovered.indexOf(1);
  const kindClass = styles[kindGroup(kindOf(columns, step))]!;
  return (
    <>
      <svg
        class={`${styles.fold} ${kindClass} ${label === null ? '' : styles.tall}`}
        viewBox={`0 0 ${RESOLUTION} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <path d={pathOf(isCovered)} />
      </svg>
      {first >= 0 && (
        <BarLabel
          from={first / RESOLUTION}
          to={(isCovered.lastIndexOf(1) + 1) / RESOLUTION}
          text={label}
          insideClass={kindClass}
        />
      )}
    </>
  );
}

function pathOf(isCovered: Uint8Array): string {
  let path = '';
  for (let index = 0; index < RESOLUTION; index++) {
    if (isCovered[index] === 0) continue;
    let to = index + 1;
    while (to < RESOLUTION && isCovered[to] === 1) to++;
    path += `M${index} 0h${to - index}v1h${index - to}z`;
    index = to;
  }
  return path;
}

function clamp(unit: number): number {
  return Math.max(0, Math.min(1, unit));
}
