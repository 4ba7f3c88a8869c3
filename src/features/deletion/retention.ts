import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import type { Db } from '../../store/connection.ts';
import { deleteSetting, readSetting, writeSetting } from '../../store/setting.store.ts';

export const MAX_RETENTION_DAYS = 3650;
export const retentionDays = z.number().int().min(1).max(MAX_RETENTION_DAYS);

const SETTING = 'retention';

export interface Retention {
  /** Null: forever. */
  days: number | null;
  source: 'tenant' | 'default' | 'plan';
  /** The plan's limit; null: none. */
  planDays: number | null;
}

export interface RetentionBounds {
  /** Used if the tenant sets nothing. */
  defaultDays: number | null;
  planDays: number | null;
}

export const retentionRecord = z
  .object({
    retention_days: z.number().int().nullable().describe('Days after the arrival of the last span; null: forever'),
    source: z
      .enum(['tenant', 'default', 'plan'])
      .describe('Source of the value: the tenant, the instance, or the plan’s limit'),
    plan_days: z.number().int().nullable().describe('The plan’s limit; null: none'),
  })
  .meta({ id: 'Retention' });
export type RetentionRecord = z.output<typeof retentionRecord>;

export async function readRetention(db: Db, tenantNo: number, bounds: RetentionBounds): Promise<Retention> {
  const { defaultDays, planDays } = bounds;
  const setting = (await readSetting(db, tenantNo, SETTING)) as { days: number | null } | null;
  const days = setting === null ? defaultDays : setting.days;
  if (isLonger(days, planDays)) return { days: planDays, source: 'plan', planDays };
  return { days, source: setting === null ? 'default' : 'tenant', planDays };
}

/** @throws AppError `quota_exceeded` for more than the plan allows */
export function assertWithinPlan(days: number | null, planDays: number | null): void {
  if (!isLonger(days, planDays)) return;
  throw new AppError('quota_exceeded', `The quota retention_days of the plan is ${planDays} days.`, {
    errors: [{ pointer: '/retention_days', message: 'retention_days' }],
  });
}

function isLonger(days: number | null, limit: number | null): boolean {
  return limit !== null && (days === null || days > limit);
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

export function toRetentionRecord({ days, source, planDays }: Retention): RetentionRecord {
  return { retention_days: days, source, plan_days: planDays };
}
