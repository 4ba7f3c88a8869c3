import type { Alert } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf, currentRoute } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { count, pluralize } from '../../parts/amounts.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PageLinks } from '../../parts/page-links.tsx';
import { PlainText } from '../../parts/plain-text.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { timeText, ZONE } from '../../parts/times.ts';
import { typeLabel } from '../../parts/type-label.ts';
import { usePolling } from '../../parts/use-polling.ts';
import { ALERT_STATE_LABELS, deliveryText } from './alert-labels.ts';
import style from './alerts-view.module.css';

const STATES = Object.keys(ALERT_STATE_LABELS) as Alert['state'][];
const REFRESH_MS = 10_000;

/** Alerts, newest first, with the deliveries of each channel. */
export function AlertHistory({ tenant }: { tenant: string }) {
  const { query = {} } = currentRoute.value ?? {};
  const state = STATES.find((candidate) => candidate === query.state);
  const { cursor } = query;
  const prefix = `alerts/${tenant}/`;
  const alerts = useQuery(`${prefix}${state ?? ''}/${cursor ?? ''}`, (signal) =>
    server.alerts.list({ tenant_id: tenant, ...(state && { state }), ...(cursor && { cursor }) }, { signal }),
  );
  usePolling(prefix, REFRESH_MS);
  return (
    <section class={style.part} aria-labelledby="history">
      <h2 id="history">History</h2>
      <nav aria-label="Alerts by state" class={style.states}>
        {[undefined, ...STATES].map((option) => (
          <Link
            key={option ?? 'all'}
            to={addressOf('alerts', option === undefined ? {} : { state: option })}
            {...(option === state ? { 'aria-current': 'page' as const } : {})}
          >
            {option === undefined ? 'All' : capitalized(ALERT_STATE_LABELS[option])}
          </Link>
        ))}
      </nav>
      <QueryResult query={alerts} failure="The alerts cannot be shown">
        {({ items, total, next_cursor }) =>
          items.length === 0 ? (
            <EmptyNotice title={state === undefined ? 'No alert yet' : `No alert is ${ALERT_STATE_LABELS[state]}`}>
              <p>An alert appears here when a new detection reaches the severity of the rules and a channel is on.</p>
            </EmptyNotice>
          ) : (
            <>
              <p>{pluralize(total, 'alert')}</p>
              <DataTable label="Alerts" columns={COLUMNS} rows={items} keyOf={({ alert_id }) => alert_id} />
              <PageLinks
                first={cursor === undefined ? null : addressOf('alerts', { state })}
                next={next_cursor === null ? null : addressOf('alerts', { state, cursor: next_cursor })}
              />
            </>
          )
        }
      </QueryResult>
    </section>
  );
}

const COLUMNS: Column<Alert>[] = [
  {
    title: 'Alert',
    cell: ({ title, trace_id: id, detection_id }) => (
      <Link to={addressOf('trace', { id }, { finding: detection_id })}>
        <PlainText text={title} />
      </Link>
    ),
  },
  { title: 'Severity', cell: ({ severity }) => <SeverityMark severity={severity} hasLabel /> },
  { title: 'Kind of failure', cell: ({ detection_type, subtype }) => typeLabel(detection_type, subtype) },
  { title: 'Agent', cell: ({ agent }) => (agent === null ? '–' : <PlainText text={agent} />) },
  { title: 'Repeats', cell: ({ repeats }) => count(repeats), isNumber: true },
  { title: 'State', cell: (alert) => <PlainText text={stateText(alert)} /> },
  {
    title: 'Deliveries',
    cell: ({ deliveries }) =>
      deliveries.length === 0 ? (
        'none'
      ) : (
        <ul class={style.deliveries}>
          {deliveries.map((delivery) => (
            <li key={`${delivery.channel} ${delivery.target}`}>
              <PlainText text={deliveryText(delivery)} />
            </li>
          ))}
        </ul>
      ),
  },
  { title: `Created (${ZONE})`, cell: ({ created_at }) => timeText(created_at) },
];

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

function stateText({ state, reason, held_until }: Alert): string {
  const until = held_until === null ? '' : ` until ${timeText(held_until)}`;
  return `${ALERT_STATE_LABELS[state]}${until}${reason === null ? '' : `: ${reason.replaceAll('_', ' ')}`}`;
}
