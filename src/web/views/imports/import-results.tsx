import { useSignal } from '@preact/signals';
import type { TraceSummary } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { set } from '../../data/set-signal.ts';
import { useTraceSummaries } from '../../data/trace-summary.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { SeverityMark } from '../../parts/severity-mark.tsx';
import style from './imports-view.module.css';
import { RejectedRecord } from './rejected-record.tsx';

const PAGE_SIZE = 10;
const MAX_DETECTIONS = 5;

/** The stored traces of an import with their detections, and its rejected records, ten of each per page. */
export function ImportResults({ id }: { id: string }) {
  const page = useSignal(1);
  const results = useQuery(`imports/results/${id}/${page.value}`, (signal) =>
    server.importJobs.results({ import_job_id: id, page: page.value, page_size: PAGE_SIZE }, { signal }),
  );
  return (
    <QueryResult query={results} failure="The results cannot be shown">
      {({ trace_count, trace_ids, errors, error_count, has_more }) => (
        <div class={style.parts}>
          <section aria-label="Traces">
            <h3>{pluralize(trace_count, 'trace')}</h3>
            <ImportedTraces ids={trace_ids} />
          </section>
          {error_count > 0 && (
            <section aria-label="Refused">
              <h3>{`${pluralize(error_count, 'error')}`}</h3>
              <ul class={style.errors}>
                {errors.map((error, index) => (
                  <RejectedRecord key={index} error={error} />
                ))}
              </ul>
            </section>
          )}
          {(has_more || page.value > 1) && (
            <div class={form.actions}>
              <Button disabled={page.value === 1} onClick={() => set(page, page.value - 1)}>
                Previous results
              </Button>
              <Button disabled={!has_more} onClick={() => set(page, page.value + 1)}>
                Next results
              </Button>
            </div>
          )}
        </div>
      )}
    </QueryResult>
  );
}

function ImportedTraces({ ids }: { ids: readonly string[] }) {
  const traces = useTraceSummaries(ids);
  return (
    <ul class={style.traces}>
      {ids.map((id) => (
        <ImportedTrace key={id} id={id} trace={traces.get(id)} />
      ))}
    </ul>
  );
}

/** A trace of the import. Its detections are available shortly after the import. */
function ImportedTrace({ id, trace }: { id: string; trace: TraceSummary | undefined }) {
  const tenant_id = tenantId.value;
  const detections = useQuery(tenant_id === null ? null : `traces/${tenant_id}/imported/${id}`, (signal) =>
    server.detections.list({ tenant_id: tenant_id!, trace_id: id, page_size: MAX_DETECTIONS }, { signal }),
  );
  const { value } = detections.value;
  return (
    <li>
      <Link to={addressOf('trace', { id })}>
        {trace && (
          <>
            <PlainText text={trace.title ?? trace.name} />{' '}
          </>
        )}
        <code class={style.id}>{id}</code>
      </Link>{' '}
      {trace && <span class={style.facts}>{pluralize(trace.span_count, 'step')} · </span>}
      {value && <span class={style.facts}>{pluralize(value.total, 'detection')}</span>}
      <ul>
        {value?.items.map(({ detection_id, severity, title }) => (
          <li key={detection_id}>
            <SeverityMark severity={severity} />{' '}
            <Link to={addressOf('trace', { id }, { finding: detection_id })}>
              <PlainText text={title} />
            </Link>
          </li>
        ))}
      </ul>
    </li>
  );
}
