import { schedule } from 'node-cron';
import { cronLogger, type FieldLog } from './cron-logger.ts';

const EVERY_MINUTE = '* * * * *';

export interface MinuteSchedule {
  stop(): void;
}

/** Schedules what is due each minute: platform syncs, abandoned traces. The next minute makes up for a missed one. */
export function startMinuteSchedule(
  work: { scheduleDue(): Promise<void> },
  log: FieldLog,
  onError: (error: unknown) => void,
): MinuteSchedule {
  const task = schedule(EVERY_MINUTE, () => work.scheduleDue().catch(onError), {
    noOverlap: true,
    suppressMissedWarning: true,
    logger: cronLogger(log),
  });
  return { stop: () => void task.stop() };
}
