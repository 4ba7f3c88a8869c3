import type { Db } from '../../store/connection.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import { markFixApplied, unmarkFix } from '../detections/applied-fix.ts';
import type { HealingAction, HealingStatus } from './healing-state.ts';

/** The row's columns after an action ended. */
export function endedAs(status: HealingStatus, action: HealingAction, now: number): Partial<HealingOperationTable> {
  return {
    status,
    updated_at: now,
    lease_token: null,
    lease_holder: null,
    leased_until: null,
    ...(status === 'applied' && action === 'apply' ? { applied_at: now } : {}),
    ...(status === 'rolled_back' ? { rolled_back_at: now } : {}),
  };
}

/** Updates the detection's fix to match the operation. */
export async function markFix(db: Db, row: HealingOperationTable, now: number): Promise<void> {
  if (row.fix_id === null) return;
  const fix = { detectionId: row.detection_id, fixId: row.fix_id };
  if (row.status === 'rolled_back') await unmarkFix(db, row.tenant_no, fix);
  if (row.status === 'applied' && row.action === 'apply')
    await markFixApplied(db, row.tenant_no, fix, { atMs: now, by: row.created_by });
}
