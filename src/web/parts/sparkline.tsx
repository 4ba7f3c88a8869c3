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
  return (
    <svg
      class={style.sparkline}
      width={WIDTH}
      height={HEIGHT}
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      role="img"
      aria-label={`${counted(total, noun)} in ${values.length} days, ${values.at(-1) ?? 0} today`}
    >
      {values.map((value, day) => {
        const height = value === 0 ? 1 : Math.max(2, (value / most) * HEIGHT);
        return (
          <rect
            key={`${day}`}
            class={value === 0 ? style.none : style.bar}
            x={day * step}
            y={HEIGHT - height}
            width={step - GAP}
            height={height}
          />
        );
      })}
    </svg>
  );
}
