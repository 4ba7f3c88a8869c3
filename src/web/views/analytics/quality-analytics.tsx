import type { ComponentChildren } from 'preact';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { count } from '../../parts/amounts.ts';
import { BarChart } from '../../parts/bar-chart.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { dayText } from '../../parts/times.ts';
import { typeLabel } from '../../parts/type-label.ts';
import style from './analytics-view.module.css';
import { Facts, FIGURES_FAILURE, SeriesChart } from './figures.tsx';

const GRADES = ['A', 'B', 'C', 'D', 'F'] as const;

export function QualityAnalytics({ days }: { days: number }) {
  const tenant_id = tenantId.value;
  const quality = useQuery(tenant_id === null ? null : `analytics/${tenant_id}/quality/${days}`, (signal) =>
    server.analytics.quality({ tenant_id: tenant_id!, days }, { signal }),
  );
  return (
    <>
      <QueryResult query={quality} failure={FIGURES_FAILURE}>
        {({ total, average, grades, trend }) => (
          <>
            <Facts
              facts={[
                ['Mean score', average === null ? 'no scored runs' : `${Math.round(average)} of 100`],
                ['Scored runs', count(total)],
                ...GRADES.map((grade): [string, ComponentChildren] => [
                  `Grade ${grade}`,
                  <Link key={grade} to={addressOf('traces', { grade })}>
                    {count(grades[grade])}
                  </Link>,
                ]),
              ]}
            />
            <p class={style.note}>
              A run starts with 100 points. Each detection takes off its confidence times 40 points (critical), 20
              (warning) or 5 (info), and a run that ended with an error loses 15 more. Grade A begins at 90 points, B at
              80, C at 70, D at 60; the rest is F.
            </p>
            <BarChart
              title="Mean score by day"
              starts={trend.map(({ date }) => date)}
              series={[{ label: 'score', values: trend.map((day) => day.average) }]}
              valueText={scoreText}
              timeText={dayText}
            />
            <BarChart
              title="Scored runs by day"
              starts={trend.map(({ date }) => date)}
              series={[{ label: 'runs', values: trend.map((day) => day.count) }]}
              valueText={count}
              timeText={dayText}
            />
          </>
        )}
      </QueryResult>
      <SeriesChart title="Detections by day and kind of failure" metric="detections" by="detection_type" days={days} />
      <QueryResult query={quality} failure={null}>
        {({ top_detections }) =>
          top_detections.length > 0 && (
            <>
              <h2>Most frequent detections</h2>
              <div class={style.narrow}>
                <DataTable
                  label="Most frequent detections"
                  columns={DETECTIONS}
                  rows={top_detections}
                  keyOf={({ detection_type }) => detection_type}
                />
              </div>
            </>
          )
        }
      </QueryResult>
    </>
  );
}

function scoreText(score: number): string {
  return String(Math.round(score * 10) / 10);
}

const DETECTIONS: Column<{ detection_type: string; count: number }>[] = [
  {
    title: 'Kind of failure',
    cell: ({ detection_type }) => (
      <Link to={addressOf('issues', { type: detection_type })}>{typeLabel(detection_type)}</Link>
    ),
  },
  { title: 'Detections', cell: (detection) => count(detection.count), isNumber: true },
];
