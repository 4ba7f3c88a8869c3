import { currentRoute } from '../../address/router.ts';
import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope } from '../../data/session.ts';
import { EmptyNotice } from '../../parts/notice.tsx';
import { PageHeading } from '../../parts/page-heading.tsx';
import { QueryResult } from '../../parts/query-result.tsx';
import { TenantOnly } from '../../parts/tenant-only.tsx';
import { usePolling } from '../../parts/use-polling.ts';
import { ImportItem } from './import-item.tsx';
import style from './imports-view.module.css';
import { UploadForm } from './upload-form.tsx';

const PAGE_SIZE = 50;
const REFRESH_MS = 3_000;

/** Uploaded trace files with their import progress. */
export function ImportsView() {
  return (
    <div class={style.view}>
      <PageHeading title="Imports" />
      <TenantOnly>{(tenant) => <Imports tenant={tenant} />}</TenantOnly>
    </div>
  );
}

function Imports({ tenant }: { tenant: string }) {
  const key = `imports/${tenant}/list`;
  const jobs = useQuery(key, (signal) => server.importJobs.list({ page_size: PAGE_SIZE }, { signal }));
  const shown = currentRoute.value?.query.job;
  // Live events report each step of a job; polling covers an interrupted stream.
  usePolling('imports/', REFRESH_MS);
  return (
    <>
      {hasScope('write') && <UploadForm onUploaded={() => void queries.invalidate(key)} />}
      <QueryResult query={jobs} failure="The imports cannot be shown">
        {({ items }) =>
          items.length === 0 ? (
            <EmptyNotice title="Nothing has been imported">
              <p>An imported file appears here with its progress, its traces and the records that were rejected.</p>
            </EmptyNotice>
          ) : (
            <ul class={style.list} aria-label="Imports">
              {items.map((job) => (
                <ImportItem
                  key={job.import_job_id}
                  job={job}
                  isShown={job.import_job_id === shown}
                  onChanged={() => void queries.invalidate(key)}
                />
              ))}
            </ul>
          )
        }
      </QueryResult>
    </>
  );
}
