import type { ImportJob } from '../../../client/misstep-client.generated.ts';
import { count, duration, percent, pluralize } from '../../parts/amounts.ts';

export const STATUS_LABELS: Readonly<Record<ImportJob['status'], string>> = {
  queued: 'waiting',
  processing: 'reading',
  completed: 'done',
  completed_with_errors: 'done, some records were rejected',
  failed: 'failed',
  cancelled: 'cancelled',
};

export function isUnfinished({ status }: Pick<ImportJob, 'status'>): boolean {
  return status === 'queued' || status === 'processing';
}

/** A rejected record is not counted as imported. */
function recordsText({ records_done, records_failed }: ImportJob): string {
  const records = pluralize(records_done, 'record');
  return records_failed === 0 ? records : `${count(records_done - records_failed)} of ${records} imported`;
}

/**
 * `40 % · 1,200 records · 120 traces · 3,400 spans · langfuse · 2 errors · about 12 s left`
 * @param traceCount undefined until it is known
 */
export function importSummary(job: ImportJob, traceCount: number | undefined): string {
  return [
    isUnfinished(job) ? percent(job.progress) : '',
    recordsText(job),
    traceCount === undefined ? '' : pluralize(traceCount, 'trace'),
    pluralize(job.spans_accepted, 'span'),
    job.formats.join(', '),
    job.error_count > 0 ? `${pluralize(job.error_count, 'error')}` : '',
    job.eta_seconds === null ? '' : `about ${duration(Math.max(1, job.eta_seconds) * 1_000_000)} left`,
  ]
    .filter((fact) => fact !== '')
    .join(' · ');
}
