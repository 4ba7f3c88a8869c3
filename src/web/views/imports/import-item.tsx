import type { ImportJob } from '../../../client/misstep-client.generated.ts';
import { Link } from '../../address/link.tsx';
import { addressOf } from '../../address/router.ts';
import { server } from '../../data/server.ts';
import { hasScope } from '../../data/session.ts';
import { Button } from '../../parts/button.tsx';
import form from '../../parts/form.module.css';
import { PlainText } from '../../parts/plain-text.tsx';
import { runAction } from '../../parts/run-action.ts';
import { timeText, ZONE } from '../../parts/times.ts';
import { visibleText } from '../../parts/visible-text.ts';
import { importSummary, isUnfinished, STATUS_LABELS } from './import-labels.ts';
import { ImportResults } from './import-results.tsx';
import style from './imports-view.module.css';

interface ImportItemProps {
  job: ImportJob;
  /** Whether its results are shown. */
  isShown: boolean;
  onChanged(): void;
}

/** One import with its progress. Its results expand below it. */
export function ImportItem({ job, isShown, onChanged }: ImportItemProps) {
  const { import_job_id, status, created_at, progress, failure } = job;
  const name = visibleText(job.file_name);
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
      <p class={style.facts}>{importSummary(job)}</p>
      {failure !== null && (
        <p class={style.failed}>
          <PlainText text={failure} />
        </p>
      )}
      <div class={form.actions}>
        <Link class={style.results} to={addressOf('imports', isShown ? {} : { job: import_job_id })}>
          {isShown ? 'Hide results' : 'Results'} <span class="visually-hidden">{`of ${name}`}</span>
        </Link>
        {hasScope('write') && (
          <Button variant="danger" label={`${removal}: ${name}`} onClick={() => void remove()}>
            {removal}
          </Button>
        )}
      </div>
      {isShown && <ImportResults id={import_job_id} />}
    </li>
  );
}
