import style from './line-chart.module.css';
import { chartScale, linePoints } from './line-points.ts';

interface LineChartProps {
  title: string;
  /** Start of each step. */
  starts: readonly string[];
  series: readonly { label: string; values: readonly (number | null)[] }[];
  valueText(value: number): string;
  timeText(time: string): string;
}

const WIDTH = 800;
const HEIGHT = 160;
/** Lines differ in colour and in their dashes. */
const LINES = 6;

/** Lines over time, with a table of the same numbers. A step without a value is a gap. */
export function LineChart({ title, starts, series, valueText, timeText }: LineChartProps) {
  const top = chartScale(series.flatMap(({ values }) => values.filter((value) => value !== null)));
  return (
    <figure class={style.chart}>
      <figcaption>{title}</figcaption>
      <div class={style.plot}>
        <span class={style.top}>{valueText(top)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
          {series.map(({ label, values }, at) => (
            <g key={label} class={style[`line${at % LINES}`]}>
              {linePoints(values, top, { width: WIDTH, height: HEIGHT }).map((points) => (
                <polyline key={points} points={points} />
              ))}
            </g>
          ))}
        </svg>
        <div class={style.times}>
          <span>{starts[0] === undefined ? '' : timeText(starts[0])}</span>
          <span>{starts.length > 1 ? timeText(starts.at(-1)!) : ''}</span>
        </div>
      </div>
      {series.length > 1 && (
        <ul class={style.legend}>
          {series.map(({ label }, at) => (
            <li key={label} class={style[`line${at % LINES}`]}>
              <svg width="24" height="8" aria-hidden="true">
                <polyline points="0,4 24,4" />
              </svg>
              <bdi>{label}</bdi>
            </li>
          ))}
        </ul>
      )}
      <ChartTable title={title} starts={starts} series={series} valueText={valueText} timeText={timeText} />
    </figure>
  );
}

function ChartTable({ title, starts, series, valueText, timeText }: LineChartProps) {
  const filled = starts.flatMap((start, at) => (series.some(({ values }) => values[at]) ? [{ start, at }] : []));
  return (
    <details class={style.table}>
      <summary>Show as table</summary>
      <table aria-label={title}>
        <thead>
          <tr>
            <th scope="col">Time</th>
            {series.map(({ label }) => (
              <th key={label} scope="col">
                <bdi>{label}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {filled.map(({ start, at }) => (
            <tr key={start}>
              <th scope="row">{timeText(start)}</th>
              {series.map(({ label, values }) => (
                <td key={label}>{values[at] == null ? '–' : valueText(values[at]!)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
