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
/** Number of line styles; they differ in colour and dashes. */
const LINES = 6;

/** A line chart over time, with a table of the same values. A missing value is a gap. */
export function LineChart({ title, starts, series, valueText, timeText }: LineChartProps) {
  const top = chartScale(series.flatMap(({ values }) => values.filter((value) => value !== null)));
  return (
    <figure class={style.chart}>
      <figcaption>{title}</figcaption>
      <div class={style.plot}>
        <span class={style.top}>{valueText(top)}</span>
        <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" role="img" aria-label={title}>
          {series.map(({ label, values }, index) => (
            <g key={label} class={style[`line${index % LINES}`]}>
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
          {series.map(({ label }, index) => (
            <li key={label} class={style[`line${index % LINES}`]}>
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
  const rows = starts.flatMap((start, index) => (series.some(({ values }) => values[index]) ? [{ start, index }] : []));
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
          {rows.map(({ start, index }) => (
            <tr key={start}>
              <th scope="row">{timeText(start)}</th>
              {series.map(({ label, values }) => (
                <td key={label}>{values[index] == null ? '–' : valueText(values[index]!)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </details>
  );
}
