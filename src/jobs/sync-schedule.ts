import { schedule } from 'node-cron';
import type { FlowplatformSyncService } from '../features/flowplatform/flowplatform-sync.service.ts';

const EVERY_MINUTE = '* * * * *';

export interface SyncSchedule {
  stop(): void;
}

/** Notes which instances are to be read again by their own schedule; whoever works on syncs does the rest. */
export function startSyncSchedule(
  syncs: Pick<FlowplatformSyncService, 'scheduleDue'>,
  onError: (error: unknown) => void,
): SyncSchedule {
  const task = schedule(EVERY_MINUTE, () => syncs.scheduleDue().catch(onError));
  return { stop: () => void task.stop() };
}
