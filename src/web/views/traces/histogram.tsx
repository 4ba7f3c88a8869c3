import { useSignal } from '@preact/signals';
import type { TraceHistogram } from '../../../client/misstep-client.generated.ts';
import { count, pluralize } from '../../parts/amounts.ts';
import { STATUS_LABELS } from '../../parts/status-label.ts';
import { timeText } from '../../parts/times.ts';
import style from './histogram.module.css';
import { rangeOf, type TracesQuery } from './trace-filter.ts';

const BAR_WIDTH = 10;
const HEIGHT = 56;
const STATUSES = ['ok', 'running', 'error'] as const;

interface HistogramProps {
  histogram: TraceHistogram;
  onSelect(change: TracesQuery): void;
}

/** Runs by start time. Dragging selects a time range, as does the field beside the search. */
export function Histogram({ histogram: { buckets, step_ms, total }, onSelect }: HistogramProps) {
  const drag = useSignal<{ from: number; to: number } | null>(null);
  const maxTotal = Math.max(1, ...buckets.map((bucket) => bucket.ok + bucket.running + bucket.error));
  const shown = STATUSES.filter((status) => buckets.some((bucket) => bucket[status] > 0));
  const failed = buckets.reduce((sum, { error }) => sum + error, 0);
  const barAt = ({ clientX, currentTarget }: PointerEvent) => {
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    return Math.floor(((clientX - left) / width) * buckets.length);
  };
  return (
    <figure class={style.histogram}>
      <svg
        class={style.bars}
        viewBox={`0 0 ${buckets.length * BAR_WIDTH} ${HEIGHT}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${count(total)} traces over time, ${count(failed)} failed`}
        onPointerDown={(event) => {
          (event.currentTarget as Element).setPointerCapture(event.pointerId);
          drag.value = { from: barAt(event), to: barAt(event) };
        }}
        onPointerMove={(event) => {
          if (drag.value) drag.value = { ...drag.value, to: barAt(event) };
        }}
        onPointerUp={() => {
          if (drag.value) onSelect(rangeOf(buckets, step_ms, drag.value.from, drag.value.to));
          drag.value = null;
        }}
        onPointerCancel={() => {
          drag.value = null;
        }}
      >
        {drag.value && <Selection {...drag.value} />}
        {buckets.map((bucket, index) => (
          <Bar key={bucket.start} bucket={bucket} index={index} maxTotal={maxTotal} />
        ))}
      </svg>
      <figcaption class={style.caption}>
        <time dateTime={buckets[0]!.start}>{timeText(buckets[0]!.start)}</time>
        <ul class={style.legend}>
          {shown.map((status) => (
            <li key={status} class={style[status]}>
              {STATUS_LABELS[status]}
            </li>
          ))}
          <li class={style.scale}>the highest bar: {pluralize(maxTotal, 'trace')}</li>
        </ul>
        <time dateTime={bucketEnd(buckets, step_ms)}>{timeText(bucketEnd(buckets, step_ms))}</time>
      </figcaption>
      <Table buckets={buckets} />
    </figure>
  );
}

/** The end of the time axis: the end of the last bar, but not in the future. */
function bucketEnd(buckets: TraceHistogram['buckets'], step_ms: number): string {
  return new Date(Math.min(Date.now(), Date.parse(buckets.at(-1)!.start) + step_ms)).toISOString();
}

function Bar({
  bucket,
  index,
  maxTotal,
}: {
  bucket: TraceHistogram['buckets'][number];
  index: number;
  maxTotal: number;
}) {
  let top = HEIGHT;
  return (
    <g>
      {STATUSES.map((status) => {
        if (bucket[status] === 0) return null;
        const height = Math.max(1, (bucket[status] / maxTotal) * HEIGHT);
        top -= height;
        return (
          <rect
            key={status}
            class={style[status]}
            x={index * BAR_WIDTH + 1}
            y={top}
            width={BAR_WIDTH - 2}
            height={height}
          />
        );
      })}
    </g>
  );
}

function Selection({ from, to }: { from: number; to: number }) {
  const first = Math.min(from, to);
  return (
    <rect
      class={style.selection}
      x={first * BAR_WIDTH}
      y={0}
      width={(Math.abs(to - from) + 1) * BAR_WIDTH}
      height={HEIGHT}
    />
  );
}

function Table({ buckets }: Pick<TraceHistogram, 'buckets'>) {
  return (
    <details class={style.table}>
      <summary>Show as table</summary>
      <table>
        <thead>
          <tr>
            <th scope="col">Began</th>
            <th scope="col">{STATUS_LABELS.ok}</th>
            <th scope="col">{STATUS_LABELS.running}</th>
            <th scope="col">{STATUS_LABELS.error}</th>
          </tr>
        </thead>
        <tbody>
          {buckets
            .filter(({ ok, running, error }) => ok + running + error > 0)
            .map(({ start, ok, running, error }) => (
              <tr key={start}>
                <th scope="row">{timeText(start)}</th>
                <td>{count(ok)}</td>
                <td>{count(running)}</td>
                <td>{count(error)}</td>
              </tr>
            ))}
        </tbody>
      </table>
    </details>
  );
}
