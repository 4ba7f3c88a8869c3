import { z } from 'zod';
import type { PlatformSyncTable, RegistrationTable } from '../../store/integration-tables.ts';

const MAX_MINUTES = 10_080;

/** Public members of an instance whose runs are fetched. @param what such as `its executions are` */
export function syncDetails(what: string) {
  return {
    sync_every_minutes: z
      .number()
      .int()
      .min(1)
      .max(MAX_MINUTES)
      .nullable()
      .optional()
      .describe(`How often ${what} fetched; null: only on request`),
    sync_alerts: z
      .boolean()
      .nullable()
      .optional()
      .describe('Sends alerts about runs since the last sync run, as for live traces; the first sync run is history'),
  };
}

interface SyncDetails {
  sync_every_minutes?: number | null;
  sync_alerts?: boolean | null;
}

/** Null if it is fetched only on request. */
export function everyMinutesOf({ details }: Pick<RegistrationTable, 'details'>): number | null {
  return (JSON.parse(details) as SyncDetails).sync_every_minutes ?? null;
}

export const MINUTE_MS = 60_000;

/** The same if the instance is known; null otherwise. */
export function scheduledMinutes(instance: RegistrationTable | null): number | null {
  return instance === null ? null : everyMinutesOf(instance);
}

/** Unix milliseconds of the next scheduled run; null without a schedule. */
export function nextBySchedule(instance: RegistrationTable | null, now: number): number | null {
  const every = scheduledMinutes(instance);
  return every === null ? null : now + every * MINUTE_MS;
}

/** Whether runs since the previous sync run trigger alerts. */
export function isLive({ details }: RegistrationTable, { newest_taken }: PlatformSyncTable): boolean {
  return (JSON.parse(details) as SyncDetails).sync_alerts === true && newest_taken !== null;
}
