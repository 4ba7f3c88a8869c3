import { pluralize } from './amounts.ts';
import style from './sparkline.module.css';

const WIDTH = 84;
const HEIGHT = 20;
const GAP = 1;

/** One bar for each day; the last one is today. A zero has a bar of minimal height. */
export function Sparkline({ values, noun }: { values: readonly number[]; noun: string }) {
  const max = Math.max(...values, 1);
  const stepWidth = WIDTH / values.length;
  const total = values.reduce((sum, value) => sum + value, 0);
  // Two elements for all bars, because a page of the inbox has forty sparklines.
  const bars = (heightOf: (value: number) => number) =>
    values
      .map((value, day) => ({ x: day * stepWidth, height: heightOf(value) }))
      .filter(({ height }) => height > 0)
      .map(({ x, height }) => `M${x} ${HEIGHT}v${-height}h${stepWidth - GAP}v${height}z`)
      .join('');
  return (
    <svg
      class={style.sparkline}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${pluralize(total, noun)} in ${values.length} days, ${values.at(-1) ?? 0} today`}
    >
      <path class={style.none} d={bars((value) => (value === 0 ? 1 : 0))} />
      <path class={style.bar} d={bars((value) => (value === 0 ? 0 : Math.max(2, (value / max) * HEIGHT)))} />
    </svg>
  );
}
