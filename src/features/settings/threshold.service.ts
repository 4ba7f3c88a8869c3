import type { Kysely } from 'kysely';
import type { Clock } from '../../core/clock.ts';
import {
  effectiveThresholds,
  NO_THRESHOLD_SETTINGS,
  type ThresholdSettings,
  type Thresholds,
} from '../../core/thresholds.ts';
import type { Db } from '../../store/connection.ts';
import type { Database } from '../../store/schema.ts';
import { readSetting, writeSetting } from '../../store/setting.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { TenantDetection } from '../analysis/tenant-detection.ts';
import {
  type ThresholdChange,
  type ThresholdRecord,
  toThresholdChange,
  toThresholdRecord,
} from './threshold-fields.ts';
import type { PreviewOfThresholds, ThresholdPreview } from './threshold-preview.ts';
import { changeThresholds, resetThresholds, type ThresholdSettingsChange } from './threshold-settings.ts';

type OwnRecord = { [Name in keyof ThresholdChange]?: number };

/** The effective thresholds, and those that the tenant set. */
export type ThresholdsRecord = ThresholdRecord & { global: OwnRecord; frameworks: Record<string, OwnRecord> };

export interface ThresholdService {
  /** The effective thresholds for traces of `framework`; null for a framework without its own settings. */
  get(tenantId: string, framework: string | null): Promise<ThresholdsRecord>;
  /** The same in internal form, for no particular framework. */
  effective(tenantId: string): Promise<Thresholds>;
  /** Takes effect on the next trace that is analyzed. @throws AppError `invalid_body` */
  change(tenantId: string, change: ThresholdSettingsChange): Promise<ThresholdsRecord>;
  /** Resets everything, or one framework, to the defaults. */
  reset(tenantId: string, framework: string | null): Promise<void>;
  /** @throws AppError `invalid_body` */
  preview(tenantId: string, framework: string | null, proposed: ThresholdChange): Promise<PreviewOfThresholds>;
}

/** Name of the setting. */
export const THRESHOLDS = 'thresholds';

export function createThresholdService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
  detectionOf(tenantNo: number): Promise<TenantDetection>;
  /** Clears the cached settings of a tenant. */
  forget(tenantNo: number): void;
  previewThresholds: ThresholdPreview;
}): ThresholdService {
  const { db, clock, tenantNoOf } = options;

  async function change(
    tenantId: string,
    next: (settings: ThresholdSettings) => ThresholdSettings,
  ): Promise<ThresholdSettings> {
    const tenantNo = await tenantNoOf(tenantId);
    const settings = await inTransaction(db, async (transaction) => {
      const after = next(await readThresholdSettings(transaction, tenantNo));
      await writeSetting(transaction, tenantNo, THRESHOLDS, { ...after }, clock.now());
      return after;
    });
    options.forget(tenantNo);
    return settings;
  }

  return {
    get: async (tenantId, framework) =>
      toRecord(await readThresholdSettings(db, await tenantNoOf(tenantId)), framework),
    effective: async (tenantId) =>
      effectiveThresholds((await options.detectionOf(await tenantNoOf(tenantId))).thresholds, null),
    change: async (tenantId, body) =>
      toRecord(await change(tenantId, (before) => changeThresholds(before, body)), null),
    async reset(tenantId, framework) {
      await change(tenantId, (before) => resetThresholds(before, framework));
    },
    async preview(tenantId, framework, proposed) {
      const tenantNo = await tenantNoOf(tenantId);
      const current = await options.detectionOf(tenantNo);
      const body = framework === null ? { global: proposed } : { frameworks: { [framework]: proposed } };
      const thresholds = changeThresholds(current.thresholds, body);
      return options.previewThresholds(tenantNo, { framework, current, proposed: { ...current, thresholds } });
    },
  };
}

export async function readThresholdSettings(db: Db, tenantNo: number): Promise<ThresholdSettings> {
  const stored = (await readSetting(db, tenantNo, THRESHOLDS)) as ThresholdSettings | null;
  return { ...NO_THRESHOLD_SETTINGS, ...stored };
}

function toRecord(settings: ThresholdSettings, framework: string | null): ThresholdsRecord {
  return { ...toThresholdRecord(effectiveThresholds(settings, framework)), ...toOwnThresholds(settings) };
}

/** The tenant's own settings, as PUT accepts them. */
export function toOwnThresholds(settings: ThresholdSettings): Pick<ThresholdsRecord, 'global' | 'frameworks'> {
  const frameworks = Object.entries(settings.frameworks).map(([name, own]) => [name, toThresholdChange(own)]);
  return {
    global: toThresholdChange(settings.global) as OwnRecord,
    frameworks: Object.fromEntries(frameworks) as Record<string, OwnRecord>,
  };
}
