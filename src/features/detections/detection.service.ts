import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { SEVERITIES } from '../../core/severity.ts';
import {
  countDetections,
  type DetectionFilter,
  detectionsOfTrace,
  listDetections,
  readDetection,
} from '../../store/detection.store.ts';
import type { Database } from '../../store/schema.ts';
import { createCountCache } from '../_kit/count-cache.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { canonicalTraceId } from '../traces/canonical-trace-id.ts';
import type { DetectionRecord } from './detection.record.ts';
import { toRecordsWithRuns } from './recurrence.ts';

export interface DetectionService {
  list(tenantId: string, filter: DetectionFilter, page: PageRequest): Promise<Page<DetectionRecord>>;
  /** Also a withdrawn one. @throws AppError `not_found` */
  get(tenantId: string, detectionId: string): Promise<DetectionRecord>;
  /** Detections of a trace, most severe first, without withdrawn ones and observations. */
  ofTrace(tenantId: string, traceId: string): Promise<DetectionRecord[]>;
}

export function createDetectionService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
}): DetectionService {
  const { db, tenantNoOf } = options;
  const { countOnce } = createCountCache(options.clock);
  return {
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const { after, ...range } = toRange(page);
      const position = after && { createdAt: after.at, detectionId: after.id };
      const requested = { ...filter, traceId: filter.traceId === null ? null : canonicalTraceId(filter.traceId) };
      const rows = await listDetections(db, tenantNo, requested, { ...range, after: position });
      const key = JSON.stringify([tenantNo, requested]);
      const total = await countOnce(key, () => countDetections(db, tenantNo, requested));
      const records = await toRecordsWithRuns(db, tenantNo, rows);
      const byId = new Map(records.map((record) => [record.detection_id, record]));
      return toPage(rows, total, page, {
        toItem: (row) => byId.get(row.detection_id)!,
        positionOf: (row) => ({ at: row.created_at, id: row.detection_id }),
      });
    },
    async get(tenantId, detectionId) {
      const tenantNo = await tenantNoOf(tenantId);
      const row = await readDetection(db, tenantNo, detectionId);
      if (!row) throw new AppError('not_found', `There is no detection ${detectionId}.`);
      return (await toRecordsWithRuns(db, tenantNo, [row]))[0]!;
    },
    async ofTrace(tenantId, traceId) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await detectionsOfTrace(db, tenantNo, canonicalTraceId(traceId));
      const active = rows.filter((row) => row.withdrawn_at === null && row.severity !== 'observation');
      return (await toRecordsWithRuns(db, tenantNo, active)).sort(mostSevereFirst);
    },
  };
}

function mostSevereFirst(one: DetectionRecord, other: DetectionRecord): number {
  return (
    SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity) ||
    other.confidence - one.confidence ||
    (one.step ?? -1) - (other.step ?? -1)
  );
}
