import { z } from 'zod';
import { dateQuery } from '../_kit/page.ts';

/** What somebody asks of the next pass. */
export interface PassRequest {
  /** Unix milliseconds: runs that began before are left. */
  sinceMs: number | null;
  /** What is found alerts people, as if it came live. */
  isAlerting: boolean;
  /** Fetches again what was fetched before. */
  isFull: boolean;
}

/** Members of the body that asks for a pass. */
export const passBody = {
  since: dateQuery.optional().describe('Leaves runs that began before, and fetches the others anew'),
  full: z.boolean().default(false).describe('Fetches all anew'),
  alert: z.boolean().default(false).describe('Alerts about what is found as if it came live'),
};

export function toPassRequest({ since, full, alert }: z.output<z.ZodObject<typeof passBody>>): PassRequest {
  return { sinceMs: since ?? null, isAlerting: alert, isFull: full };
}
