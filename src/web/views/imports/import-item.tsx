import type { ImportJob } from '../../../client/misstep-client.generated.ts';
import { addressOf } from '../../address/router.ts';
import { useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { hasScope } from '../../data/session.ts';
import { pluralize } from '../../parts/amounts.ts';
import { Button } from '../../parts/button.tsx';
import { ButtonLink } from '../../parts/button-link.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { runAction } from '../../parts/run-action.ts';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { importSummary, isUnfinished, STATUS_LABELS } from './import-labels.ts';
import { ImportResults } from './import-results.tsx';
import style from './imports-view.module.css';
import { RejectedRecord } from './rejected-record.tsx';

interface ImportItemProps {
  job: ImportJob;
  /** Whether its results are shown. */
  isShown: boolean;
  onChanged(): void;
}

/** Of the rejected records, so many are listed without the results. */
const MAX_REASONS = 3;

/** One import with its progress, or with its counts and the reasons of rejected records. Its results expand below it. */
export function ImportItem({ job, isShown, onChanged }: ImportItemProps) {
  const { import_job_id, status, created_at, progress, failure } = job;
  const name = visibleText(job.file_name);
  // The counts of a finished import do not change, so its key is not one that polling refetches.
  const results = useQuery(isUnfinished(job) ? null : `import-counts/${import_job_id}/${status}`, (signal) =>
    server.importJobs.results({ import_job_id, page: 1, page_size: MAX_REASONS }, { signal }),
  ).value.value;
  const removal = isUnfinished(job) ? 'Cancel import' : 'Remove import, keep traces';

  async function remove() {
    const request = () => server.importJobs.delete({ import_job_id });
    const successMessage = isUnfinished(job)
      ? `The import of ${name} is cancelled.`
      : `${name} is removed from this list. Its traces are kept.`;
    await runAction(`The import of ${name} could not be removed`, request, successMessage);
    onChanged();
  }

  return (
    <li class={style.item} aria-label={name}>
      <div class={style.head}>
        <h2>
          <PlainText text={job.file_name} />
        </h2>
        <span class={style[status]}>{STATUS_LABELS[status]}</span>
        <span class={style.facts}>
          {timeText(created_at)} ({ZONE})
        </span>
      </div>
      {isUnfinished(job) && (
        <progress class={style.progress} max={1} value={progress} aria-label={`Progress of ${name}`} />
      )}
      <p class={style.facts}>{importSummary(job, results?.trace_count)}</p>
      {failure !== null && (
        <p class={style.failed}>
          <PlainText text={failure} />
        </p>
      )}
      {!isShown && results && results.errors.length > 0 && (
        <ul class={style.errors} aria-label="Rejected records">
          {results.errors.map((error, index) => (
            <RejectedRecord key={index} error={error} />
          ))}
          {results.error_count > results.errors.length && (
            <li>{`${pluralize(results.error_count - results.errors.length, 'more error')}: see the results`}</li>
          )}
        </ul>
      )}
      <div class={form.actions}>
        <ButtonLink to={addressOf('imports', isShown ? {} : { job: import_job_id })}>
          {isShown ? 'Hide results' : 'Results'} <span class="visually-hidden">{`of ${name}`}</span>
        </ButtonLink>
        {hasScope('write') && (
          <Button label={`${removal}: ${name}`} onClick={() => void remove()}>
            {removal}
          </Button>
        )}
      </div>
      {isShown && <ImportResults id={import_job_id} />}
    </li>
  );
}
