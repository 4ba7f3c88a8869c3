import { schedule } from 'node-cron';
import { cronLogger, type FieldLog } from './cron-logger.ts';

const EVERY_MINUTE = '* * * * *';

export interface SyncSchedule {
  stop(): void;
}

/** Schedules each minute what is due: reads of platforms, abandoned traces. The next minute makes up for a missed one. */
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
