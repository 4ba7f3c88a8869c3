import { toRfc3339 } from '../../core/clock.ts';
import type { Db } from '../../store/connection.ts';
import { readDetection, updateDetection } from '../../store/detection.store.ts';
import { rowToDetectionRecord } from './detection.record.ts';
import { type AppliedFixes, readAppliedFixes } from './fix.record.ts';

/** Marks a fix of a detection as applied; no effect if it is already marked, or the detection is deleted. */
export async function markFixApplied(
  db: Db,
  tenantNo: number,
  fix: { detectionId: string; fixId: string },
  applied: { atMs: number; by: string | null },
): Promise<void> {
  const detection = await readDetection(db, tenantNo, fix.detectionId);
  if (detection === null) return;
  const known = rowToDetectionRecord(detection).fixes.find(({ fix_id }) => fix_id === fix.fixId);
  if (known === undefined || known.applied_at !== null) return;
  const marked = { ...known, applied_at: toRfc3339(applied.atMs), applied_by: applied.by };
  const fixes: AppliedFixes = { ...readAppliedFixes(detection.applied_fixes), [fix.fixId]: marked };
  await updateDetection(db, tenantNo, fix.detectionId, { applied_fixes: JSON.stringify(fixes) });
}

/** Removes the mark after the fix was rolled back. */
export async function unmarkFix(
  db: Db,
  tenantNo: number,
  { detectionId, fixId }: { detectionId: string; fixId: string },
): Promise<void> {
  const detection = await readDetection(db, tenantNo, detectionId);
  if (detection === null) return;
  const { [fixId]: _gone, ...fixes } = readAppliedFixes(detection.applied_fixes);
  await updateDetection(db, tenantNo, detectionId, { applied_fixes: JSON.stringify(fixes) });
}
