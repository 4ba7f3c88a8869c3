import { sql } from 'kysely';
import type { Severity } from '../core/severity.ts';
import { SEVERITIES } from '../core/severity.ts';
import type { Db } from './connection.ts';
import type { DetectionTable } from './schema.ts';
import { inBatches } from './transaction.ts';

export function detectionsOfTrace(db: Db, tenantNo: number, traceId: string): Promise<DetectionTable[]> {
  return db
    .selectFrom('detections')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', '=', traceId)
    .orderBy('detection_id')
    .execute();
}

/** Stored detections of several traces, including withdrawn ones, by trace id. */
export async function detectionsOfTraces(
  db: Db,
  tenantNo: number,
  traceIds: readonly string[],
): Promise<Map<string, DetectionTable[]>> {
  const rows = await db
    .selectFrom('detections')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', 'in', traceIds)
    .execute();
  return Map.groupBy(rows, (row) => row.trace_id);
}

export interface ValidatedRow {
  framework: string;
  detection_type: string;
  subtype: string;
  confidence: number;
  is_valid: number;
}

/** Detections that users validated, newest first, with the framework of the trace. */
export async function listValidated(db: Db, tenantNo: number, limit: number): Promise<ValidatedRow[]> {
  const rows = await db
    .selectFrom('detections')
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select([
      'traces.framework',
      'detections.detection_type',
      'detections.subtype',
      'detections.confidence',
      'detections.is_valid',
    ])
    .where('detections.tenant_no', '=', tenantNo)
    .where('detections.validated', '=', 1)
    .where('detections.is_valid', 'is not', null)
    .orderBy('detections.validated_at', 'desc')
    .orderBy('detections.detection_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, is_valid: row.is_valid ?? 0 }));
}

export async function insertDetection(db: Db, row: DetectionTable): Promise<void> {
  await db.insertInto('detections').values(row).execute();
}

/** Restores exported rows; existing rows with the same id or identity are kept. */
export async function restoreDetections(db: Db, rows: readonly DetectionTable[]): Promise<void> {
  for (const slice of inBatches(rows, ROWS_PER_STATEMENT)) {
    await db
      .insertInto('detections')
      .values(slice)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

const ROWS_PER_STATEMENT = 50;

export async function updateDetection(
  db: Db,
  tenantNo: number,
  detectionId: string,
  values: Partial<DetectionTable>,
): Promise<void> {
  await db
    .updateTable('detections')
    .set(values)
    .where('tenant_no', '=', tenantNo)
    .where('detection_id', '=', detectionId)
    .execute();
}

export async function readDetection(db: Db, tenantNo: number, detectionId: string): Promise<DetectionTable | null> {
  const row = await db
    .selectFrom('detections')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('detection_id', '=', detectionId)
    .executeTakeFirst();
  return row ?? null;
}

export interface DetectionFilter {
  detectionType: string | null;
  validated: boolean | null;
  confidenceMin: number | null;
  confidenceMax: number | null;
  traceId: string | null;
  issueId: string | null;
  agentId?: string | null;
  /** Lowest severity listed. */
  minSeverity: Severity;
  from: number | null;
  to: number | null;
}

export interface DetectionPosition {
  createdAt: number;
  detectionId: string;
  /** Start of the run; undefined in the order of `created_at`. */
  startedAt?: number | undefined;
}

/** Those of the newest runs first, with the start of the run; withdrawn ones are omitted. */
export function listDetectionsByRun(
  db: Db,
  tenantNo: number,
  filter: DetectionFilter,
  range: { after: DetectionPosition | null; offset: number; limit: number },
): Promise<(DetectionTable & { started_at: number })[]> {
  const startedAt = sql<number>`coalesce((
    select traces.started_at from traces
    where traces.tenant_no = detections.tenant_no and traces.trace_id = detections.trace_id), detections.created_at)`;
  let query = filtered(db, tenantNo, filter)
    .selectAll()
    .select(startedAt.as('started_at'))
    .orderBy(startedAt, 'desc')
    .orderBy('detection_id', 'desc');
  const { after } = range;
  if (after)
    query = query.where(sql<boolean>`(${startedAt}, detection_id) < (${after.startedAt ?? 0}, ${after.detectionId})`);
  return query.offset(range.offset).limit(range.limit).execute();
}

/** Newest first; withdrawn ones are omitted. */
export function listDetections(
  db: Db,
  tenantNo: number,
  filter: DetectionFilter,
  range: { after: DetectionPosition | null; offset: number; limit: number },
): Promise<DetectionTable[]> {
  let query = filtered(db, tenantNo, filter).selectAll().orderBy('created_at', 'desc').orderBy('detection_id', 'desc');
  const { after } = range;
  if (after) {
    query = query.where((where) =>
      where(where.refTuple('created_at', 'detection_id'), '<', where.tuple(after.createdAt, after.detectionId)),
    );
  }
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countDetections(db: Db, tenantNo: number, filter: DetectionFilter): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, filter: DetectionFilter) {
  const severities = SEVERITIES.slice(0, SEVERITIES.indexOf(filter.minSeverity) + 1);
  let query = db
    .selectFrom('detections')
    .where('tenant_no', '=', tenantNo)
    .where('withdrawn_at', 'is', null)
    .where('severity', 'in', severities);
  if (filter.detectionType !== null) query = query.where('detection_type', '=', filter.detectionType);
  if (filter.validated !== null) query = query.where('validated', '=', filter.validated ? 1 : 0);
  if (filter.confidenceMin !== null) query = query.where('confidence', '>=', filter.confidenceMin);
  if (filter.confidenceMax !== null) query = query.where('confidence', '<=', filter.confidenceMax);
  if (filter.traceId !== null) query = query.where('trace_id', '=', filter.traceId);
  if (filter.issueId !== null) query = query.where('issue_id', '=', filter.issueId);
  if (filter.agentId != null) query = query.where('agent_id', '=', filter.agentId);
  if (filter.from !== null) query = query.where('created_at', '>=', filter.from);
  if (filter.to !== null) query = query.where('created_at', '<', filter.to);
  return query;
}

/** The subset of the detections that are withdrawn, marked as false, or deleted. */
export async function withdrawnOrFalseAmong(
  db: Db,
  tenantNo: number,
  detectionIds: readonly string[],
): Promise<Set<string>> {
  const excluded = new Set(detectionIds);
  for (const slice of inBatches(detectionIds, IDS_PER_STATEMENT)) {
    const rows = await db
      .selectFrom('detections')
      .select('detection_id')
      .where('tenant_no', '=', tenantNo)
      .where('detection_id', 'in', slice)
      .where('withdrawn_at', 'is', null)
      .where((where) => where.or([where('is_valid', 'is', null), where('is_valid', '=', 1)]))
      .execute();
    for (const row of rows) excluded.delete(row.detection_id);
  }
  return excluded;
}

const IDS_PER_STATEMENT = 500;
