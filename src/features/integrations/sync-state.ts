import { z } from 'zod';
import { toRfc3339 } from '../../core/clock.ts';
import type { PlatformSyncTable } from '../../store/integration-tables.ts';

const time = z.string().meta({ format: 'date-time' }).nullable();

/** State members of every sync, for any platform. */
export const syncState = {
  status: z
    .enum(['never', 'idle', 'queued', 'running', 'waiting', 'failed'])
    .describe('`waiting`: it failed and is tried again at `next_run_at`'),
  every_minutes: z.number().int().nullable().describe('null: only on request'),
  failure: z.string().nullable(),
  started_at: time,
  finished_at: time,
  next_run_at: time,
};
export type SyncState = z.output<z.ZodObject<typeof syncState>>;

/** @param row null for a registration that was never synced */
export function toSyncState(row: PlatformSyncTable | null, everyMinutes: number | null): SyncState {
  const timeOrNull = (ms: number | null | undefined) => (ms == null ? null : toRfc3339(ms));
  return {
    status: (row?.status ?? 'never') as SyncState['status'],
    every_minutes: everyMinutes,
    failure: row?.failure ?? null,
    started_at: timeOrNull(row?.started_at),
    finished_at: timeOrNull(row?.finished_at),
    next_run_at: timeOrNull(row?.run_at),
  };
}
