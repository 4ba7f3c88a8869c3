import { counted } from './amounts.ts';
import style from './sparkline.module.css';

const WIDTH = 84;
const HEIGHT = 20;
const GAP = 1;

/** Bars by day, the last one is today. A day without any has a bar of least height. */
export function Sparkline({ values, noun }: { values: readonly number[]; noun: string }) {
  const most = Math.max(...values, 1);
  const step = WIDTH / values.length;
  const total = values.reduce((sum, value) => sum + value, 0);
  // Two elements for all bars: a page of the inbox has forty of these.
  const bars = (heightOf: (value: number) => number) =>
    values
      .map((value, day) => ({ x: day * step, height: heightOf(value) }))
      .filter(({ height }) => height > 0)
      .map(({ x, height }) => `M${x} ${HEIGHT}v${-height}h${step - GAP}v${height}z`)
      .join('');
  return (
    <svg
      class={style.sparkline}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${counted(total, noun)} in ${values.length} days, ${values.at(-1) ?? 0} today`}
    >
      <path class={style.none} d={bars((value) => (value === 0 ? 1 : 0))} />
      <path class={style.bar} d={bars((value) => (value === 0 ? 0 : Math.max(2, (value / most) * HEIGHT)))} />
    </svg>
  );
}
