import type { Db } from './connection.ts';
import type { FeedbackTable } from './feedback-tables.ts';

export async function insertFeedback(db: Db, row: FeedbackTable): Promise<void> {
  await db.insertInto('feedback').values(row).execute();
}

export async function readFeedback(db: Db, tenantNo: number, feedbackId: string): Promise<FeedbackTable | null> {
  const row = await db
    .selectFrom('feedback')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('feedback_id', '=', feedbackId)
    .executeTakeFirst();
  return row ?? null;
}

export async function deleteFeedback(db: Db, tenantNo: number, feedbackId: string): Promise<void> {
  await db.deleteFrom('feedback').where('tenant_no', '=', tenantNo).where('feedback_id', '=', feedbackId).execute();
}

export interface FeedbackFilter {
  detectionId: string | null;
  detectionType: string | null;
  feedbackType: string | null;
}

/** With the id of the newest feedback on the same detection; null if the detection is deleted. */
export type FeedbackRow = FeedbackTable & { newest_id: string | null };

/** Newest first. */
export async function listFeedback(
  db: Db,
  tenantNo: number,
  filter: FeedbackFilter,
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<FeedbackRow[]> {
  let query = filtered(db, tenantNo, filter)
    .leftJoin('detections', (join) =>
      join
        .onRef('detections.tenant_no', '=', 'feedback.tenant_no')
        .onRef('detections.detection_id', '=', 'feedback.detection_id'),
    )
    .selectAll('feedback')
    .select('detections.feedback_id as newest_id')
    .orderBy('feedback.created_at', 'desc')
    .orderBy('feedback.feedback_id', 'desc');
  const { after } = range;
  if (after) {
    query = query.where((where) =>
      where(where.refTuple('feedback.created_at', 'feedback.feedback_id'), '<', where.tuple(after.at, after.id)),
    );
  }
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countFeedback(db: Db, tenantNo: number, filter: FeedbackFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, filter: FeedbackFilter) {
  let query = db.selectFrom('feedback').where('feedback.tenant_no', '=', tenantNo);
  if (filter.detectionId !== null) query = query.where('feedback.detection_id', '=', filter.detectionId);
  if (filter.detectionType !== null) query = query.where('feedback.detection_type', '=', filter.detectionType);
  if (filter.feedbackType !== null) query = query.where('feedback.feedback_type', '=', filter.feedbackType);
  return query;
}

export interface FeedbackCount {
  detection_type: string;
  subtype: string;
  feedback_type: string;
  count: number;
}

/** Number of detections by subtype and newest feedback. */
export async function countNewestFeedback(db: Db, tenantNo: number): Promise<FeedbackCount[]> {
  const rows = await newest(db, tenantNo)
    .select([
      'feedback.detection_type',
      'feedback.subtype',
      'feedback.feedback_type',
      (select) => select.fn.countAll().as('count'),
    ])
    .groupBy(['feedback.detection_type', 'feedback.subtype', 'feedback.feedback_type'])
    .execute();
  return rows.map((row) => ({ ...row, count: Number(row.count) }));
}

export interface NewestFeedbackRow {
  detection_id: string;
  detection_type: string;
  subtype: string;
  feedback_type: string;
  confidence: number;
  severity: string;
  /** Framework of the trace; null if it is deleted. */
  framework: string | null;
}

/** The newest feedback on each detection with the current confidence and severity, latest first. */
export function listNewestFeedback(db: Db, tenantNo: number, limit: number): Promise<NewestFeedbackRow[]> {
  return newest(db, tenantNo)
    .leftJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select([
      'feedback.detection_id',
      'feedback.detection_type',
      'feedback.subtype',
      'feedback.feedback_type',
      'detections.confidence',
      'detections.severity',
      'traces.framework',
    ])
    .orderBy('feedback.created_at', 'desc')
    .orderBy('feedback.feedback_id', 'desc')
    .limit(limit)
    .execute();
}

function newest(db: Db, tenantNo: number) {
  return db
    .selectFrom('feedback')
    .innerJoin('detections', (join) =>
      join
        .onRef('detections.tenant_no', '=', 'feedback.tenant_no')
        .onRef('detections.detection_id', '=', 'feedback.detection_id')
        .onRef('detections.feedback_id', '=', 'feedback.feedback_id'),
    )
    .where('feedback.tenant_no', '=', tenantNo);
}

/** Feedback on a trace's detections, oldest first. */
export function feedbackOfTrace(db: Db, tenantNo: number, traceId: string): Promise<FeedbackTable[]> {
  return db
    .selectFrom('feedback')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '=', traceId)
    .orderBy('feedback_id')
    .execute();
}

/** Restores exported rows; existing rows with the same id are kept. */
export async function restoreFeedback(db: Db, rows: readonly FeedbackTable[]): Promise<void> {
  for (const row of rows) {
    await db
      .insertInto('feedback')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}
