import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import type { DetectionOrder } from '../../core/detection-order.ts';
import { SEVERITIES } from '../../core/severity.ts';
import {
  countDetections,
  type DetectionFilter,
  detectionsOfTrace,
  listDetections,
  listDetectionsByRun,
  readDetection,
} from '../../store/detection.store.ts';
import type { Database, DetectionTable } from '../../store/schema.ts';
import { createCountCache } from '../_kit/count-cache.ts';
import { assertOrder, toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { canonicalTraceId } from '../traces/canonical-trace-id.ts';
import type { DetectionRecord } from './detection.record.ts';
import { toRecordsWithRuns } from './recurrence.ts';

export interface DetectionService {
  list(
    tenantId: string,
    filter: DetectionFilter,
    page: PageRequest,
    order?: DetectionOrder,
  ): Promise<Page<DetectionRecord>>;
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
    async list(tenantId, filter, page, order = 'created_at') {
      const tenantNo = await tenantNoOf(tenantId);
      const { after, ...range } = toRange(page);
      const isByRun = order === 'started_at';
      assertOrder(after, isByRun, isByRun ? order : undefined);
      const position = after && { createdAt: after.at, detectionId: after.id, startedAt: after.rank };
      const requested = { ...filter, traceId: filter.traceId === null ? null : canonicalTraceId(filter.traceId) };
      const listed = isByRun ? listDetectionsByRun : listDetections;
      const rows: (DetectionTable & { started_at?: number })[] = await listed(db, tenantNo, requested, {
        ...range,
        after: position,
      });
      const key = JSON.stringify([tenantNo, requested]);
      const total = await countOnce(key, () => countDetections(db, tenantNo, requested));
      const records = await toRecordsWithRuns(db, tenantNo, rows);
      const byId = new Map(records.map((record) => [record.detection_id, record]));
      return toPage(rows, total, page, {
        toItem: (row) => byId.get(row.detection_id)!,
        positionOf: ({ created_at: at, detection_id: id, started_at: rank }) =>
          rank === undefined ? { at, id } : { at, id, rank, order },
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
