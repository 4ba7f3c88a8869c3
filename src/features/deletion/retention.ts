import { z } from 'zod';
import type { Db } from '../../store/connection.ts';
import { deleteSetting, readSetting, writeSetting } from '../../store/setting.store.ts';

export const MAX_RETENTION_DAYS = 3650;
export const retentionDays = z.number().int().min(1).max(MAX_RETENTION_DAYS);

const SETTING = 'retention';

export interface Retention {
  /** Null: for ever. */
  days: number | null;
  source: 'tenant' | 'default';
}

export const retentionRecord = z.object({
  retention_days: z.number().int().nullable().describe('Days after their last span came; null: for ever'),
  source: z.enum(['tenant', 'default']).describe('Whether the tenant or the instance says so'),
});
export type RetentionRecord = z.output<typeof retentionRecord>;

export async function readRetention(db: Db, tenantNo: number, defaultDays: number | null): Promise<Retention> {
  const setting = (await readSetting(db, tenantNo, SETTING)) as { days: number | null } | null;
  return setting === null ? { days: defaultDays, source: 'default' } : { days: setting.days, source: 'tenant' };
}

export async function writeRetention(
  db: Db,
  tenantNo: number,
  days: number | null | 'default',
  now: number,
): Promise<void> {
  if (days === 'default') await deleteSetting(db, tenantNo, SETTING);
  else await writeSetting(db, tenantNo, SETTING, { days }, now);
}

export function toRetentionRecord({ days, source }: Retention): RetentionRecord {
  return { retention_days: days, source };
}
