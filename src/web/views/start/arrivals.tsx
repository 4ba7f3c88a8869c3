import { useRef } from 'preact/hooks';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { queries, refetchAll, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope } from '../../data/session.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { ErrorNotice } from '../../parts/notice.tsx';
import { relativeTime } from '../../parts/relative-time.ts';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import { STATUS_LABELS } from '../../parts/status-label.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';
import { usePolling } from '../../parts/use-polling.ts';
import { visibleText } from '../../parts/visible-text.ts';
import style from './start.module.css';

const REFUSALS_INTERVAL_MS = 3_000;

async function fillExamples(tenant_id: string): Promise<void> {
  try {
    await server.demo.fill({ tenant_id });
    showToast('The example runs are stored. Their deployment environment is “demo”.');
  } catch (error) {
    showFailure('The example runs were not stored', error, () => void fillExamples(tenant_id));
  }
  void queries.invalidate('traces');
}

/** Shows received traces and rejected requests as they arrive. Traces that were stored before the view opened do not count. */
export function Arrivals({ tenant }: { tenant: string }) {
  const traces = useQuery(`traces/first/${tenant}`, (signal) =>
    server.traces.list({ tenant_id: tenant, page_size: 5 }, { signal }),
  );
  const refusals = useQuery(`refusals/${tenant}`, (signal) =>
    server.ingest.refusals({ tenant_id: tenant }, { signal }),
  );
  usePolling('refusals', REFUSALS_INTERVAL_MS);
  const storedBefore = useRef<ReadonlySet<string> | null>(null);
  const storedTraces = traces.value.value?.items ?? [];
  if (traces.value.value) storedBefore.current ??= new Set(storedTraces.map(({ trace_id }) => trace_id));
  const isStoredBefore = storedBefore.current !== null && storedBefore.current.size > 0;
  const receivedTraces = storedTraces.filter(({ trace_id }) => !storedBefore.current?.has(trace_id));
  const rejectedRequests = refusals.value.value?.items ?? [];
  const tracesError = traces.value.value === undefined ? traces.value.error : undefined;
  const now = Date.now();
  return (
    <section class={style.step} aria-live="polite">
      {tracesError !== undefined ? (
        <ErrorNotice title="What has arrived cannot be shown" error={tracesError} retry={refetchAll} />
      ) : receivedTraces.length === 0 ? (
        <>
          <h2>
            3 Waiting for {isStoredBefore ? 'a new trace' : 'the first trace'}{' '}
            <span class={style.dot} aria-hidden="true" />
          </h2>
          <p>
            Run your program once. Received traces appear here automatically.
            {isStoredBefore && (
              <>
                {' '}
                Earlier ones are in the <Link to={addressOf('traces')}>list of traces</Link>.
              </>
            )}
          </p>
          {!isStoredBefore && hasScope('ingest') && (
            <div class={style.examples}>
              <p>
                Nothing to connect yet? Seven example runs show what Misstep reports: one is healthy, six have faults.
              </p>
              <Button onClick={() => void fillExamples(tenant)}>Fill in example runs</Button>
            </div>
          )}
        </>
      ) : (
        <>
          <h2>3 It arrived</h2>
          <ul class={style.arrived}>
            {receivedTraces.map(({ trace_id, name, span_count, status, max_severity }) => (
              <li key={trace_id}>
                <Link to={addressOf('trace', { id: trace_id })}>
                  <bdi>{visibleText(name)}</bdi>
                </Link>
                <span>
                  {pluralize(span_count, 'step')}, {STATUS_LABELS[status]}{' '}
                  {max_severity !== null && <SeverityMark severity={max_severity} hasLabel />}
                </span>
              </li>
            ))}
          </ul>
          <Link to={addressOf('issues')}>See what is wrong with them</Link>
        </>
      )}
      {rejectedRequests.length > 0 && (
        <div class={style.refused}>
          <h3>Some requests were rejected</h3>
          <ul>
            {rejectedRequests.slice(0, 5).map(({ path, status, detail, sender, count, last_at }) => (
              <li key={`${path} ${status} ${detail} ${sender}`}>
                <p dir="auto">{visibleText(detail)}</p>
                <span dir="auto">
                  {visibleText(path)} · status {status} · {count}× · {relativeTime(last_at, now)}
                  {sender ? ` · ${visibleText(sender)}` : ''}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
    </section>
  );
}
