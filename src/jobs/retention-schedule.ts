import { schedule } from 'node-cron';
import type { DeletionService } from '../features/deletion/deletion.service.ts';

/** Every night, when little else is done, and not on the hour, when everybody's jobs start. */
const EVERY_NIGHT = '17 3 * * *';

export interface RetentionSchedule {
  stop(): void;
}

/** Notes the jobs that delete what is too old; whoever works on jobs does the rest. */
export function startRetentionSchedule(
  deletion: Pick<DeletionService, 'scheduleRetention'>,
  onError: (error: unknown) => void,
): RetentionSchedule {
  const task = schedule(EVERY_NIGHT, () => deletion.scheduleRetention().catch(onError));
  return { stop: () => void task.stop() };
}
