import { z } from 'zod';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import { everyMinutesOf } from '../integrations/sync-schedule.ts';
import { syncState, toSyncState } from '../integrations/sync-state.ts';

/** Sync state of a registered n8n instance. */
export const syncRecord = z
  .object({
    instance_id: z.string(),
    name: z.string(),
    ...syncState,
    executions_read: z.number().int().describe('In the current sync run, or the last one'),
    executions_taken: z.number().int().describe('Of these, the ones that became traces'),
    executions_refused: z.number().int().describe('Of these, the ones that could not be read'),
    newest_execution_id: z.string().nullable().describe('Everything up to this execution was fetched'),
  })
  .meta({ id: 'PlatformSync' });
export type SyncRecord = z.output<typeof syncRecord>;

export function toSyncRecord(instance: RegistrationTable, row: PlatformSyncTable | null): SyncRecord {
  return {
    instance_id: instance.registration_id,
    name: instance.name,
    ...toSyncState(row, everyMinutesOf(instance)),
    executions_read: row?.runs_read ?? 0,
    executions_taken: row?.runs_taken ?? 0,
    executions_refused: row?.runs_refused ?? 0,
    newest_execution_id: row?.newest_taken ?? null,
  };
}
