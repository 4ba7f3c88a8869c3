import { AppError } from '../../core/app-error.ts';
import type { FixChange } from '../../core/detection.ts';
import type { JsonObject } from '../../core/json.ts';
import type { Db } from '../../store/connection.ts';
import { readDetection } from '../../store/detection.store.ts';
import type { HealingOperationTable } from '../../store/healing-tables.ts';
import type { DetectionTable } from '../../store/schema.ts';
import { rowToDetectionRecord } from '../detections/detection.record.ts';
import type { FixRecord } from '../detections/fix.record.ts';
import { changeTitle } from './change-title.ts';
import { type Executors, MANUAL } from './executors.ts';
import type { Proposal } from './healing-policy.ts';

/** The requested change: a fix of a detection, the detection's best one, or a custom change for it. */
export interface HealingRequest {
  detectionId: string | null;
  fixId: string | null;
  executor: string;
  target: JsonObject;
  changes: FixChange[] | null;
}

/** The planned operation of a request. */
export type PlannedOperation = Pick<
  HealingOperationTable,
  | 'detection_id'
  | 'issue_id'
  | 'fix_id'
  | 'fix_type'
  | 'title'
  | 'risk'
  | 'executor'
  | 'target'
  | 'changes'
  | 'content_before'
  | 'content_after'
>;

/** @throws AppError `not_found`, `conflict`, `invalid_body`, and errors of the executor */
export async function propose(
  db: Db,
  executors: Executors,
  scope: { tenantId: string; tenantNo: number },
  request: HealingRequest,
): Promise<{ planned: PlannedOperation; proposal: Proposal }> {
  const detectionId = request.detectionId ?? detectionOfFix(request.fixId!);
  const detection = await detectionFor(db, scope.tenantNo, detectionId, request);
  const fix = fixFor(detection, request);
  const changes = request.changes ?? fix!.changes;
  const { executor, target } = executors.parse(request.executor, request.target);
  const before = executor === null ? null : (await executor.read(scope, target)).content;
  const planned = {
    detection_id: detectionId,
    issue_id: detection.issue_id,
    fix_id: fix?.fix_id ?? null,
    fix_type: fix?.fix_type ?? 'config_change',
    title: fix?.title ?? changeTitle(changes, executor?.nameOf?.(target)),
    risk: fix?.risk ?? 'medium',
    executor: executor?.name ?? MANUAL,
    target: JSON.stringify(target),
    changes: JSON.stringify(changes),
    content_before: before,
    content_after: before === null ? null : executor!.plan(target, before, changes),
  };
  return {
    planned,
    proposal: {
      fixType: planned.fix_type as Proposal['fixType'],
      risk: planned.risk,
      isBreaking: fix?.breaking ?? false,
      isFromFix: fix !== null && request.changes === null,
      isManual: executor === null,
    },
  };
}

/** Fixes are numbered per detection. */
function detectionOfFix(fixId: string): string {
  return fixId.replace(/^fix_/, 'det_').replace(/_[0-9a-f]{8}$/, '');
}

async function detectionFor(
  db: Db,
  tenantNo: number,
  detectionId: string,
  { detectionId: requestedId, fixId }: HealingRequest,
): Promise<DetectionTable> {
  const row = await readDetection(db, tenantNo, detectionId);
  if (row === null)
    throw new AppError(
      'not_found',
      requestedId === null ? `There is no fix ${fixId}.` : `There is no detection ${detectionId}.`,
    );
  if (row.withdrawn_at !== null)
    throw new AppError('conflict', `Detection ${detectionId} was withdrawn: it has no fix to apply.`);
  return row;
}

function fixFor(detection: DetectionTable, request: HealingRequest): FixRecord | null {
  const { fixId } = request;
  const { detection_id: detectionId } = detection;
  const { fixes } = rowToDetectionRecord(detection);
  if (fixId === null && request.changes !== null) return null;
  const fix = fixId === null ? mostConfident(fixes) : fixes.find((one) => one.fix_id === fixId);
  if (fix === undefined)
    throw fixId === null
      ? new AppError('conflict', `Detection ${detectionId} has no fix: send the member changes.`)
      : new AppError(
          'not_found',
          request.detectionId === null ? `There is no fix ${fixId}.` : `Detection ${detectionId} has no fix ${fixId}.`,
        );
  if (fix.applied_at !== null) throw new AppError('conflict', `The fix ${fix.fix_id} is applied already.`);
  return fix;
}

function mostConfident(fixes: readonly FixRecord[]): FixRecord | undefined {
  return fixes.filter((fix) => fix.applied_at === null).toSorted((one, other) => other.confidence - one.confidence)[0];
}
