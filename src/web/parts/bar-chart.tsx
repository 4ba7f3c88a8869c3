import style from './bar-chart.module.css';
import { firstShownStep, highestSteps, highestText } from './chart-range.ts';

interface BarChartProps {
  title: string;
  /** Start of each step. */
  starts: readonly string[];
  series: readonly { label: string; values: readonly (number | null)[] }[];
  valueText(value: number): string;
  timeText(time: string): string;
}

const WIDTH = 800;
const HEIGHT = 120;
/** Part of a step that its bar takes. */
const BAR_PART = 0.7;
/** Number of bar styles. */
const COLOURS = 6;

/** Stacked bars over time, with a table of the same values. Leading steps without values are omitted. */
export function BarChart({ title, starts: allStarts, series: allSeries, valueText, timeText }: BarChartProps) {
  const first = firstShownStep(
    allSeries.map(({ values }) => values),
    allStarts.length,
  );
  const starts = allStarts.slice(first);
  const series = allSeries.map(({ label, values }) => ({ label, values: values.slice(first) }));
  const highest = highestSteps(
    series.map(({ values }) => values),
    starts.length,
  );
  return (
    <figure class={style.chart}>
      <figcaption>{title}</figcaption>
      {highest === null ? (
        <p class={style.none}>Nothing in these {allStarts.length} days.</p>
      ) : (
        <div>
          <p class={style.times}>Highest: {highestText(highest, valueText, (index) => timeText(starts[index]!))}</p>
          <svg
            class={style.bars}
            viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
            preserveAspectRatio="none"
            role="img"
            aria-label={`${title}: highest ${highestText(highest, valueText, (index) => timeText(starts[index]!))}`}
          >
            {starts.map((start, index) => (
              <Bar key={start} series={series} index={index} steps={starts.length} top={highest.sum} />
            ))}
          </svg>
          <div class={style.times}>
            <span>
              {timeText(starts[0]!)}
              {first > 0 && `; nothing in the ${first} days before`}
            </span>
            <span>{timeText(starts.at(-1)!)}</span>
          </div>
        </div>
      )}
      {series.length > 1 && (
        <ul class={style.legend}>
          {series.map(({ label }, index) => (
            <li key={label} class={style[`colour${index % COLOURS}`]}>
              <bdi>{label}</bdi>
            </li>
          ))}
        </ul>
      )}
      <ChartTable title={title} starts={starts} series={series} valueText={valueText} timeText={timeText} />
    </figure>
  );
}

interface BarProps extends Pick<BarChartProps, 'series'> {
  index: number;
  steps: number;
  /** The value at the top of the chart. */
  top: number;
}

function Bar({ series, index, steps, top }: BarProps) {
  const stepWidth = WIDTH / steps;
  let y = HEIGHT;
  return (
    <g>
      {series.map(({ label, values }, colour) => {
        const value = values[index] ?? 0;
        if (value <= 0) return null;
        const height = Math.max(1, (value / top) * HEIGHT);
        y -= height;
        return (
          <rect
            key={label}
            class={style[`colour${colour % COLOURS}`]}
            x={index * stepWidth + (stepWidth * (1 - BAR_PART)) / 2}
            y={y}
            width={stepWidth * BAR_PART}
            height={height}
          />
        );
      })}
    </g>
  );
}

function ChartTable({ title, starts, series, valueText, timeText }: BarChartProps) {
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
