import type { Kysely } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { Json, JsonObject } from '../../core/json.ts';
import { NO_THRESHOLD_SETTINGS } from '../../core/thresholds.ts';
import { changeJson } from '../../platforms/healing/change-json.ts';
import type { Change, Executor } from '../../platforms/healing/executor.ts';
import { formatJson } from '../../platforms/healing/format-json.ts';
import { jsonPointer } from '../../platforms/healing/json-pointer.ts';
import { rejectNoChange } from '../../platforms/healing/reject-change.ts';
import type { Db } from '../../store/connection.ts';
import type { Database } from '../../store/schema.ts';
import { readSetting, writeSetting } from '../../store/setting.store.ts';
import { inTransaction } from '../../store/transaction.ts';
import { fieldErrorsOf } from '../_kit/field-errors.ts';
import { putOverridesOperation } from '../settings/settings.operations.ts';
import { OVERRIDES } from '../settings/settings.service.ts';
import { putThresholdsOperation } from '../settings/threshold.operations.ts';
import { THRESHOLDS, toOwnThresholds } from '../settings/threshold.service.ts';
import { changeThresholds } from '../settings/threshold-settings.ts';

/** A setting, as its PUT accepts it, as a whole. */
interface Setting {
  name: string;
  /** For people. */
  title: string;
  show(stored: Json): Json;
  /** @throws AppError or ZodError for an invalid value */
  toStored(shown: Json): Json;
}

const SETTINGS: Readonly<Record<'thresholds' | 'detector_overrides', Setting>> = {
  thresholds: {
    name: THRESHOLDS,
    title: 'general thresholds',
    show: (stored) => toOwnThresholds({ ...NO_THRESHOLD_SETTINGS, ...(stored as object | null) }) as unknown as Json,
    toStored: (shown) =>
      changeThresholds(NO_THRESHOLD_SETTINGS, putThresholdsOperation.body!.parse(shown)) as unknown as Json,
  },
  detector_overrides: {
    name: OVERRIDES,
    title: 'detector thresholds',
    show: (stored) => stored ?? {},
    toStored: (shown) => {
      const overrides = Object.entries(putOverridesOperation.body!.parse(shown));
      return Object.fromEntries(overrides.filter(([, value]) => value != null)) as JsonObject;
    },
  },
};

async function contentOf(db: Db, tenantNo: number, { name, show }: Setting): Promise<string> {
  return formatJson(show(await readSetting(db, tenantNo, name)));
}

const target = z.strictObject({
  setting: z.enum(['thresholds', 'detector_overrides']).describe('As the PUT of the setting takes it'),
  pointer: jsonPointer,
});
type Target = z.output<typeof target>;

/** A tenant's own thresholds, changed under the same rules as by a user. */
export function createSettingsExecutor(options: {
  db: Kysely<Database>;
  clock: Clock;
  /** Invalidates cached settings of a tenant. */
  forget(tenantNo: number): void;
}): Executor<Target> {
  const { db, clock, forget } = options;
  return {
    name: 'settings',
    target,
    describe: ({ setting, pointer }) => SETTINGS[setting].title + (pointer && ` ${pointer}`),
    nameOf: ({ setting, pointer }) => (setting === 'detector_overrides' && pointer === '' ? thresholdName : undefined),
    read: async ({ tenantNo }, { setting }) => ({
      content: await contentOf(db, tenantNo, SETTINGS[setting]),
      version: null,
    }),
    plan: planSetting,
    async write({ tenantNo }, { setting }, content, expected) {
      const { toStored, name } = SETTINGS[setting];
      await inTransaction(db, async (transaction) => {
        if ((await contentOf(transaction, tenantNo, SETTINGS[setting])) !== expected.content)
          throw new AppError('conflict', 'The setting was changed in the meantime; nothing was written.');
        await writeSetting(transaction, tenantNo, name, toStored(JSON.parse(content) as Json), clock.now());
      });
      forget(tenantNo);
    },
  };
}

/** Name of the override at a JSON Pointer: a detector, or a detector and a subtype. */
export function thresholdName(pointer: string): string {
  return `the threshold of ${pointer.replace(/^\//, '').replaceAll('~1', '/').replaceAll('~0', '~')}`;
}

function planSetting({ setting, pointer }: Target, content: string, changes: readonly Change[]): string {
  const { show, toStored } = SETTINGS[setting];
  const { value } = changeJson(JSON.parse(content) as Json, pointer, changes);
  try {
    return rejectNoChange(content, formatJson(show(toStored(value))));
  } catch (error) {
    throw new AppError('invalid_body', 'The setting failed validation.', { errors: problemsOf(error) });
  }
}

function problemsOf(error: unknown): { pointer: string; message: string }[] {
  if (error instanceof AppError) return error.errors.map(({ message }) => ({ pointer: '/changes', message }));
  if (!(error instanceof z.ZodError)) throw error;
  return fieldErrorsOf(error).map(({ pointer, message }) => ({
    pointer: '/changes',
    message: `${pointer}: ${message}`,
  }));
}
