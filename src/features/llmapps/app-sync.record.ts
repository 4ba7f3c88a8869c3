import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';

const time = z.string().meta({ format: 'date-time' }).nullable();

/** How far the log of a registered app of Dify was fetched. */
export const appSyncRecord = z
  .object({
    app_id: z.string(),
    app_name: z.string(),
    status: z.enum(['never', 'idle', 'queued', 'running', 'waiting', 'failed']),
    runs_read: z.number().int().describe('In the pass under way, or the last one'),
    runs_taken: z.number().int().describe('Of those, the ones that were not known'),
    runs_refused: z.number().int().describe('Of those, the ones that could not be read'),
    newest_run_at: time.describe('Every run up to then was fetched'),
    failure: z.string().nullable(),
    started_at: time,
    finished_at: time,
    next_run_at: time,
  })
  .meta({ id: 'DifyAppSync' });
export type AppSyncRecord = z.output<typeof appSyncRecord>;

export function toAppSyncRecord(app: RegistrationTable, row: PlatformSyncTable | null): AppSyncRecord {
  const when = (ms: number | null | undefined) => (ms == null ? null : toRfc3339(ms));
  return {
    app_id: app.registration_id,
    app_name: app.name,
    status: (row?.status ?? 'never') as AppSyncRecord['status'],
    runs_read: row?.runs_read ?? 0,
    runs_taken: row?.runs_taken ?? 0,
    runs_refused: row?.runs_refused ?? 0,
    newest_run_at: when(row?.newest_taken == null ? null : Number(row.newest_taken)),
    failure: row?.failure ?? null,
    started_at: when(row?.started_at),
    finished_at: when(row?.finished_at),
    next_run_at: when(row?.run_at),
  };
}
