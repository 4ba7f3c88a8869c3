import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count, wasteText } from '../../parts/amounts.ts';
import { BarChart } from '../../parts/bar-chart.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { dayText } from '../../parts/times.ts';
import { typeLabel } from '../../parts/type-label.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './analytics-view.module.css';
import { Facts, FIGURES_FAILURE } from './figures.tsx';

export function LoopAnalytics({ days }: { days: number }) {
  const tenant_id = tenantId.value;
  const loops = useQuery(tenant_id === null ? null : `analytics/${tenant_id}/loops/${days}`, (signal) =>
    server.analytics.loops({ tenant_id: tenant_id!, days }, { signal }),
  );
  const status = useQuery(tenant_id === null ? null : `detectors/${tenant_id}/status`, (signal) =>
    server.diagnostics.detectorStatus({}, { signal }),
  );
  const subtypes = status.value.value?.items.find(({ detector }) => detector === 'loop')?.subtypes ?? [];
  const titleOf = (kind: string) => subtypes.find(({ subtype }) => subtype === kind)?.title ?? typeLabel(kind);
  return (
    <QueryResult query={loops} failure={FIGURES_FAILURE}>
      {({ total, average_length, wasted_tokens, wasted_cost_usd, by_method, affected_agents, time_series }) => (
        <>
          <Facts
            facts={[
              ['Loops', count(total)],
              ['Mean length', average_length === null ? 'no loops' : `${count(average_length)} calls or steps`],
              ['Wasted', wasteText({ tokens: wasted_tokens, cost: wasted_cost_usd })],
            ]}
          />
          <BarChart
            title="Loops by day"
            starts={time_series.map(({ date }) => date)}
            series={[{ label: 'loops', values: time_series.map((day) => day.count) }]}
            valueText={count}
            timeText={dayText}
          />
          {total > 0 && (
            <>
              <h2>By kind</h2>
              <div class={style.narrow}>
                <DataTable
                  label="Loops by kind"
                  columns={kindColumns(titleOf)}
                  rows={Object.entries(by_method)}
                  keyOf={([kind]) => kind}
                />
              </div>
              <h2>By agent</h2>
              <div class={style.narrow}>
                <DataTable
                  label="Loops by agent"
                  columns={AGENTS}
                  rows={affected_agents}
                  keyOf={({ agent_id }) => agent_id}
                />
              </div>
            </>
          )}
        </>
      )}
    </QueryResult>
  );
}

/** @param titleOf the title of a subtype */
function kindColumns(titleOf: (kind: string) => string): Column<[kind: string, loops: number]>[] {
  return [
    {
      title: 'Kind of failure',
      cell: ([kind]) => <Link to={addressOf('issues', { type: 'loop', q: kind })}>{titleOf(kind)}</Link>,
    },
    { title: 'Loops', cell: ([, loops]) => count(loops), isNumber: true },
  ];
}

const AGENTS: Column<{ agent_id: string; count: number }>[] = [
  {
    title: 'Agent',
    cell: ({ agent_id }) => (
      <Link to={addressOf('agents', { agent: agent_id })}>
        <bdi>{visibleText(agent_id)}</bdi>
      </Link>
    ),
  },
  { title: 'Loops', cell: (agent) => count(agent.count), isNumber: true },
];
