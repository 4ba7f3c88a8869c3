import { schedule } from 'node-cron';
import type { DeletionService } from '../features/deletion/deletion.service.ts';
import { cronLogger, type FieldLog } from './cron-logger.ts';

const EVERY_MINUTE = '* * * * *';

export interface RetentionSchedule {
  stop(): void;
}

/**
 * Checks at the start and each minute whether retention is due, which also catches a missed run. It only schedules
 * the jobs: a work loop runs them.
 */
export function startRetentionSchedule(
  deletion: Pick<DeletionService, 'scheduleRetentionWhenDue'>,
  log: FieldLog,
  onError: (error: unknown) => void,
): RetentionSchedule {
  const logJobs = (jobs: number | null) => {
    if (jobs === null) return;
    log.info({ jobs }, jobs === 0 ? 'retention: nothing to delete' : 'retention: deletions are scheduled');
  };
  let running: Promise<void> | null = null;
  /** The check at the start may coincide with a full minute: then it counts for both. */
  const check = () =>
    (running ??= deletion
      .scheduleRetentionWhenDue()
      .then(logJobs)
      .catch(onError)
      .finally(() => {
        running = null;
      }));
  void check();
  const task = schedule(EVERY_MINUTE, check, {
    noOverlap: true,
    suppressMissedWarning: true,
    logger: cronLogger(log),
  });
  return { stop: () => void task.stop() };
}
