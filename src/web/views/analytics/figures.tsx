import type { ComponentChildren } from 'preact';
import type { AnalyticsSeriesInput } from '../../../client/misstep-client.generated.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, dollars, duration, shortCount } from '../../parts/amounts.ts';
import { BarChart } from '../../parts/bar-chart.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { dayText } from '../../parts/times.ts';
import { typeLabel } from '../../parts/type-label.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './analytics-view.module.css';

/** The title of the error notice for figures. */
export const FIGURES_FAILURE = 'The figures cannot be shown';

/** A few labelled values in one line. */
export function Facts({ facts }: { facts: readonly [label: string, value: ComponentChildren][] }) {
  return (
    <dl class={style.facts}>
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

type SeriesChartProps = Pick<AnalyticsSeriesInput, 'metric'> & {
  title: string;
  by: NonNullable<AnalyticsSeriesInput['by']>;
  days: number;
};

/** A chart of one metric by day and group. */
export function SeriesChart({ title, metric, by, days }: SeriesChartProps) {
  const tenant_id = tenantId.value;
  const key = tenant_id === null ? null : `series/${tenant_id}/${metric}/${by}/${days}`;
  const series = useQuery(key, (signal) =>
    server.analytics.series({ tenant_id: tenant_id!, metric, by, days, top: 5 }, { signal }),
  );
  return (
    <QueryResult query={series} failure={`The chart “${title}” cannot be shown`}>
      {({ starts, series: lines, unit }) => (
        <BarChart
          title={title}
          starts={starts}
          series={lines.map(({ label, values }) => ({
            label: by === 'detection_type' ? typeLabel(label) : visibleText(label),
            values,
          }))}
          valueText={VALUE_TEXTS[unit]}
          timeText={dayText}
        />
      )}
    </QueryResult>
  );
}

const VALUE_TEXTS = {
  count,
  usd: dollars,
  tokens: shortCount,
  ms: (value: number) => duration(value * 1_000),
  score: (value: number) => String(Math.round(value * 10) / 10),
};
