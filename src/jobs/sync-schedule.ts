import { schedule } from 'node-cron';
import { cronLogger, type FieldLog } from './cron-logger.ts';

const EVERY_MINUTE = '* * * * *';

export interface SyncSchedule {
  stop(): void;
}

/** Notes each minute what is due to be read again; a minute that was missed is made up for by the next. */
export function startSyncSchedule(
  syncs: { scheduleDue(): Promise<void> },
  log: FieldLog,
  onError: (error: unknown) => void,
): SyncSchedule {
  const task = schedule(EVERY_MINUTE, () => syncs.scheduleDue().catch(onError), {
    noOverlap: true,
    suppressMissedWarning: true,
    logger: cronLogger(log),
  });
  return { stop: () => void task.stop() };
}
