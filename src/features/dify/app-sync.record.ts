import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import { everyMinutesOf } from '../integrations/sync-schedule.ts';
import { syncState, toSyncState } from '../integrations/sync-state.ts';
import { isReady } from './dify.source.ts';

/** Sync state of a registered Dify app. */
export const appSyncRecord = z
  .object({
    app_id: z.string(),
    app_name: z.string(),
    instance_id: z.string().nullable().describe('The Dify that it belongs to'),
    instance_name: z.string().nullable(),
    ...syncState,
    runs_read: z.number().int().describe('In the current sync run, or the last one'),
    runs_taken: z.number().int().describe('Of these, the new ones'),
    runs_refused: z.number().int().describe('Of these, the ones that could not be read'),
    newest_run_at: z
      .string()
      .meta({ format: 'date-time' })
      .nullable()
      .describe('All runs up to this time were fetched'),
  })
  .meta({ id: 'DifyAppSync' });
export type AppSyncRecord = z.output<typeof appSyncRecord>;

/** @param instance null if it belongs to none */
export function toAppSyncRecord(
  app: RegistrationTable,
  instance: RegistrationTable | null,
  row: PlatformSyncTable | null,
): AppSyncRecord {
  return {
    app_id: app.registration_id,
    app_name: app.name,
    instance_id: instance?.registration_id ?? null,
    instance_name: instance?.name ?? null,
    ...toSyncState(row, instance !== null && isReady(app) ? everyMinutesOf(instance) : null),
    runs_read: row?.runs_read ?? 0,
    runs_taken: row?.runs_taken ?? 0,
    runs_refused: row?.runs_refused ?? 0,
    newest_run_at: row?.newest_taken == null ? null : toRfc3339(Number(row.newest_taken)),
  };
}
