import { z } from 'zod';
import { dateQuery } from '../_kit/page.ts';

/** Options of a requested sync run. */
export interface SyncRunRequest {
  /** Unix milliseconds: runs that began earlier are skipped. */
  sinceMs: number | null;
  /** Its detections trigger alerts, as for live data. */
  isAlerting: boolean;
  /** Fetches again what was fetched before. */
  isFull: boolean;
}

/** Body members of a sync request. */
export const syncRunBody = {
  since: dateQuery.optional().describe('Fetches again all runs that began at or after this time'),
  full: z.boolean().default(false).describe('Fetches all again'),
  alert: z.boolean().default(false).describe('Sends alerts about detections, as for live traces'),
};

export function toSyncRunRequest({ since, full, alert }: z.output<z.ZodObject<typeof syncRunBody>>): SyncRunRequest {
  return { sinceMs: since ?? null, isAlerting: alert, isFull: full };
}
