import type { ReadonlySignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import type { AnalyticsSeriesInput } from '../../../client/misstep-client.generated.ts';
import { useIsSlow, useQuery } from '../../data/queries.ts';
import type { QueryState } from '../../data/query-cache.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, dollars, duration, shortCount } from '../../parts/amounts.ts';
import { LineChart } from '../../parts/line-chart.tsx';
import { ErrorNotice, Waiting } from '../../parts/notice.tsx';
import { dayText } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './analytics-view.module.css';

/** A few numbers with their names, in one line. */
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

/** What was answered, or why there is nothing yet. */
export function Answer<Value>({
  query,
  children,
}: {
  query: ReadonlySignal<QueryState<Value>>;
  children(value: Value): ComponentChildren;
}) {
  const isSlow = useIsSlow(query);
  const { value, error } = query.value;
  if (value !== undefined) return <>{children(value)}</>;
  if (error !== undefined) return <ErrorNotice what="The figures cannot be shown" error={error} />;
  return isSlow ? <Waiting /> : null;
}

type SeriesChartProps = Pick<AnalyticsSeriesInput, 'metric'> & {
  title: string;
  by: NonNullable<AnalyticsSeriesInput['by']>;
  days: number;
};

/** One figure by day, by group. */
export function SeriesChart({ title, metric, by, days }: SeriesChartProps) {
  const tenant_id = tenantId.value;
  const key = tenant_id === null ? null : `series/${tenant_id}/${metric}/${by}/${days}`;
  const series = useQuery(key, (signal) =>
    server.analytics.series({ tenant_id: tenant_id!, metric, by, days, top: 5 }, { signal }),
  );
  return (
    <Answer query={series}>
      {({ starts, series: lines, unit }) => (
        <LineChart
          title={title}
          starts={starts}
          series={lines.map(({ label, values }) => ({ label: visibleText(label), values }))}
          valueText={VALUE_TEXTS[unit]}
          timeText={dayText}
        />
      )}
    </Answer>
  );
}

const VALUE_TEXTS = {
  count,
  usd: dollars,
  tokens: shortCount,
  ms: (value: number) => duration(value * 1_000),
  score: (value: number) => String(Math.round(value * 10) / 10),
};
