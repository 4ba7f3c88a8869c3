import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import type { Db } from '../../store/connection.ts';
import { readDetection } from '../../store/detection.store.ts';
import type { Database, DetectionTable } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import type { Caller } from '../_kit/caller.ts';
import { callerName } from '../_kit/caller-name.ts';
import { markFixApplied } from './applied-fix.ts';
import { rowToDetectionRecord } from './detection.record.ts';
import type { FixRecord } from './fix.record.ts';

export interface FixService {
  /** Suggested and applied fixes of a detection. @throws AppError `not_found` */
  ofDetection(tenantId: string, detectionId: string): Promise<FixRecord[]>;
  /**
   * Records that the fix was applied; idempotent.
   * @throws AppError `not_found` for an unknown detection or fix, `conflict` if the detection was withdrawn
   */
  apply(tenantId: string, detectionId: string, fixId: string, caller: Caller): Promise<FixRecord>;
}

/** Runs once for each fix, in the transaction that records it as applied. @returns what to call after the commit */
export type RecordApplied = (
  db: Db,
  applied: { tenantNo: number; detection: DetectionTable; fix: FixRecord; appliedAtMs: number },
) => Promise<() => void>;

export function createFixService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
  /** Other listeners, such as the history of applied fixes. */
  recordApplied?: RecordApplied;
}): FixService {
  const { db, clock, tenantNoOf } = options;

  return {
    async ofDetection(tenantId, detectionId) {
      return rowToDetectionRecord(await requireDetection(db, await tenantNoOf(tenantId), detectionId)).fixes;
    },
    async apply(tenantId, detectionId, fixId, caller) {
      const tenantNo = await tenantNoOf(tenantId);
      let announce: (() => void) | undefined;
      const recorded = await inTransaction(db, async (transaction) => {
        const detection = await requireDetection(transaction, tenantNo, detectionId);
        const fix = rowToDetectionRecord(detection).fixes.find(({ fix_id }) => fix_id === fixId);
        if (fix === undefined) throw new AppError('not_found', `Detection ${detectionId} has no fix ${fixId}.`);
        if (fix.applied_at !== null) return fix;
        if (detection.withdrawn_at !== null)
          throw new AppError('conflict', `Detection ${detectionId} was withdrawn: it has no fix to apply.`);
        const now = clock.now();
        const applied = { ...fix, applied_at: toRfc3339(now), applied_by: callerName(caller) };
        await markFixApplied(transaction, tenantNo, { detectionId, fixId }, { atMs: now, by: applied.applied_by });
        announce = await options.recordApplied?.(transaction, { tenantNo, detection, fix: applied, appliedAtMs: now });
        return applied;
      });
      announce?.();
      return recorded;
    },
  };
}

async function requireDetection(db: Db, tenantNo: number, detectionId: string): Promise<DetectionTable> {
  const detection = await readDetection(db, tenantNo, detectionId);
  if (detection === null) throw new AppError('not_found', `There is no detection ${detectionId}.`);
  return detection;
}
