import { schedule } from 'node-cron';
import type { DeletionService } from '../features/deletion/deletion.service.ts';
import { cronLogger, type FieldLog } from './cron-logger.ts';

const EVERY_MINUTE = '* * * * *';

export interface RetentionSchedule {
  stop(): void;
}

/**
 * Asks at the start and each minute whether retention is due, which also finds a run that was missed. It only notes the
 * jobs: a work loop does the rest.
 */
export function startRetentionSchedule(
  deletion: Pick<DeletionService, 'scheduleRetentionWhenDue'>,
  log: FieldLog,
  onError: (error: unknown) => void,
): RetentionSchedule {
  const note = (jobs: number | null) => {
    if (jobs !== null) log.info({ jobs }, 'retention: deletions are scheduled');
  };
  const check = () => deletion.scheduleRetentionWhenDue().then(note).catch(onError);
  void check();
  const task = schedule(EVERY_MINUTE, check, {
    noOverlap: true,
    suppressMissedWarning: true,
    logger: cronLogger(log),
  });
  return { stop: () => void task.stop() };
}
