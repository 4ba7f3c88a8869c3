import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';
import { everyMinutesOf } from '../integrations/sync-schedule.ts';

export const SYNC_STATUSES = ['never', 'idle', 'queued', 'running', 'waiting', 'failed'] as const;

const time = z.string().meta({ format: 'date-time' }).nullable();

/** How far the executions of a registered n8n were fetched. */
export const syncRecord = z
  .object({
    instance_id: z.string(),
    name: z.string(),
    status: z.enum(SYNC_STATUSES).describe('`waiting`: it failed and is tried again at `next_run_at`'),
    every_minutes: z.number().int().nullable().describe('null: only when asked'),
    executions_read: z.number().int().describe('In the pass under way, or the last one'),
    executions_taken: z.number().int().describe('Of those, the ones that became traces'),
    executions_refused: z.number().int().describe('Of those, the ones that could not be read'),
    newest_execution_id: z.string().nullable().describe('Everything up to it was fetched'),
    failure: z.string().nullable(),
    started_at: time,
    finished_at: time,
    next_run_at: time,
  })
  .meta({ id: 'PlatformSync' });
export type SyncRecord = z.output<typeof syncRecord>;

export function toSyncRecord(instance: RegistrationTable, row: PlatformSyncTable | null): SyncRecord {
  const when = (ms: number | null | undefined) => (ms == null ? null : toRfc3339(ms));
  return {
    instance_id: instance.registration_id,
    name: instance.name,
    status: (row?.status ?? 'never') as SyncRecord['status'],
    every_minutes: everyMinutesOf(instance),
    executions_read: row?.runs_read ?? 0,
    executions_taken: row?.runs_taken ?? 0,
    executions_refused: row?.runs_refused ?? 0,
    newest_execution_id: row?.newest_taken ?? null,
    failure: row?.failure ?? null,
    started_at: when(row?.started_at),
    finished_at: when(row?.finished_at),
    next_run_at: when(row?.run_at),
  };
}
