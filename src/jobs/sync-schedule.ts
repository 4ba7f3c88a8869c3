import { schedule } from 'node-cron';

const EVERY_MINUTE = '* * * * *';

export interface SyncSchedule {
  stop(): void;
}

/** Notes what is to be read again by their own schedule; whoever works on syncs does the rest. */
export function startSyncSchedule(
  syncs: { scheduleDue(): Promise<void> },
  onError: (error: unknown) => void,
): SyncSchedule {
  const task = schedule(EVERY_MINUTE, () => syncs.scheduleDue().catch(onError));
  return { stop: () => void task.stop() };
}
