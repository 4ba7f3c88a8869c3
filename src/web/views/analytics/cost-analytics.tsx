import type { CostAnalytics as Cost } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, dollars, NOT_MEASURED, percent, shortCount, wasteText } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { UNPRICED } from '../traces/trace-filter.ts';
import style from './analytics-view.module.css';
import { Facts, FIGURES_FAILURE, SeriesChart } from './figures.tsx';

export function CostAnalytics({ days }: { days: number }) {
  const tenant_id = tenantId.value;
  const cost = useQuery(tenant_id === null ? null : `analytics/${tenant_id}/cost/${days}`, (signal) =>
    server.analytics.cost({ tenant_id: tenant_id!, days }, { signal }),
  );
  return (
    <>
      <QueryResult query={cost} failure={FIGURES_FAILURE}>
        {({
          date_from,
          total_cost_usd,
          total_tokens,
          total_traces,
          unpriced_traces,
          wasted_cost_usd,
          wasted_tokens,
        }) => (
          <>
            <Facts
              facts={[
                [
                  'Wasted by failures',
                  <Link key="waste" to={addressOf('issues', { sort: 'cost' })}>
                    {wasteText({ tokens: wasted_tokens, cost: wasted_cost_usd })}
                  </Link>,
                ],
                [
                  'Wasted share of the cost',
                  total_cost_usd > 0 ? percent(Math.min(1, wasted_cost_usd / total_cost_usd)) : NOT_MEASURED,
                ],
                ['Cost', dollars(total_cost_usd)],
                ['Tokens', shortCount(total_tokens)],
                ['Traces', count(total_traces)],
                [
                  'Traces with model calls of unknown cost',
                  unpriced_traces === 0 ? (
                    '0'
                  ) : (
                    <Link to={addressOf('traces', { cost: UNPRICED, from: date_from })}>{count(unpriced_traces)}</Link>
                  ),
                ],
              ]}
            />
            <p class={style.note}>
              Waste is the cost of the steps that a detection counts as wasted, such as repeated or failed calls. The
              other steps of a failed run are not waste. See the{' '}
              <Link to={addressOf('issues', { sort: 'cost' })}>issues that waste most</Link>.
            </p>
          </>
        )}
      </QueryResult>
      <SeriesChart title="Cost by day and framework" metric="cost" by="framework" days={days} />
      <SeriesChart title="Cost by day and model" metric="cost" by="model" days={days} />
      <QueryResult query={cost} failure={null}>
        {({ top_traces }) => (
          <>
            <h2>Traces that cost most</h2>
            {top_traces.length === 0 ? (
              <p>No trace of these days has a known cost.</p>
            ) : (
              <DataTable
                label="Traces that cost most"
                columns={TOP_TRACES}
                rows={top_traces}
                keyOf={({ trace_id }) => trace_id}
              />
            )}
          </>
        )}
      </QueryResult>
    </>
  );
}

const TOP_TRACES: Column<Cost['top_traces'][number]>[] = [
  {
    title: 'Run',
    cell: ({ trace_id, name }) => (
      <Link to={addressOf('trace', { id: trace_id })}>
        <bdi>{visibleText(name)}</bdi>
      </Link>
    ),
  },
  { title: 'Framework', cell: ({ framework }) => visibleText(framework) },
  { title: `Started (${ZONE})`, cell: ({ started_at }) => timeText(started_at) },
  { title: 'Tokens', cell: ({ total_tokens }) => shortCount(total_tokens), isNumber: true },
  { title: 'Cost', cell: ({ cost_usd }) => dollars(cost_usd), isNumber: true },
];
