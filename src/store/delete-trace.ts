import type { AlertContent, AlertItem } from '../core/alert.ts';
import { replaceAgentShares } from './agent.store.ts';
import type { Db } from './connection.ts';
import type { Database } from './schema.ts';
import { readTraces } from './trace.store.ts';
import { subtractFigures } from './trace-figures.store.ts';

type OfTrace = {
  [Name in keyof Database]: Database[Name] extends { tenant_no: unknown; trace_id: unknown } ? Name : never;
}[keyof Database];

/** Tables whose rows belong to one trace and are deleted with it; the traces themselves come last. */
export const TRACE_TABLES = [
  'span_chunks',
  'conversations',
  'detections',
  'feedback',
  'calibration_samples',
  'import_traces',
  'outbox',
  'traces',
] as const satisfies readonly OfTrace[];

/** Deletes one trace and everything derived from it. Every feature that stores data of traces is covered here. */
export function deleteTrace(db: Db, tenantNo: number, traceId: string): Promise<void> {
  return deleteTraces(db, tenantNo, [traceId]);
}

/** The same for a few hundred traces; call it inside a transaction. */
export async function deleteTraces(db: Db, tenantNo: number, traceIds: readonly string[]): Promise<void> {
  if (traceIds.length === 0) return;
  await subtractShares(db, tenantNo, traceIds);
  await subtractFigures(db, tenantNo, traceIds);
  const found = await db
    .selectFrom('detections')
    .select(['detection_id', 'issue_id'])
    .where('tenant_no', '=', tenantNo)
    .where('trace_id', 'in', traceIds)
    .execute();
  await deleteAlerts(
    db,
    tenantNo,
    found.map((row) => row.detection_id),
    new Set(traceIds),
  );
  await db.deleteFrom('jobs').where('tenant_no', '=', tenantNo).where('key', 'in', traceIds).execute();
  await deleteStoredResponses(db, tenantNo, traceIds);
  await deleteTraceRows(db, tenantNo, traceIds);
  await deleteEmptyIssues(db, tenantNo, [...new Set(found.flatMap((row) => row.issue_id ?? []))]);
}

/** Deletes only the rows that belong to one trace each: for a tenant whose figures, issues and alerts are deleted, too. */
export async function deleteTraceRows(db: Db, tenantNo: number, traceIds: readonly string[]): Promise<void> {
  for (const table of TRACE_TABLES) {
    await db
      .deleteFrom(table as 'traces')
      .where('tenant_no', '=', tenantNo)
      .where('trace_id', 'in', traceIds)
      .execute();
  }
}

async function subtractShares(db: Db, tenantNo: number, traceIds: readonly string[]): Promise<void> {
  const rows = [...(await readTraces(db, tenantNo, traceIds)).values()];
  const listed = rows.map((row) => ({ row, agentIds: JSON.parse(row.agent_ids) as string[] }));
  await replaceAgentShares(
    db,
    tenantNo,
    listed.map(({ row, agentIds }) => ({
      traceId: row.trace_id,
      startedAt: row.started_at,
      shares: [],
      listed: row.listed_at === null ? null : { agentIds, startedAt: row.listed_at },
    })),
  );
  const agentIds = [...new Set(listed.flatMap((trace) => trace.agentIds))];
  if (agentIds.length === 0) return;
  await db
    .deleteFrom('agents')
    .where('tenant_no', '=', tenantNo)
    .where('agent_id', 'in', agentIds)
    .where('step_count', '<=', 0)
    .execute();
}

async function deleteEmptyIssues(db: Db, tenantNo: number, issueIds: readonly string[]): Promise<void> {
  if (issueIds.length === 0) return;
  await db
    .deleteFrom('issues')
    .where('tenant_no', '=', tenantNo)
    .where('issue_id', 'in', issueIds)
    .where('issue_id', 'not in', (detections) =>
      detections
        .selectFrom('detections')
        .select('detections.issue_id')
        .where('detections.tenant_no', '=', tenantNo)
        .where('detections.issue_id', 'in', issueIds)
        .$castTo<{ issue_id: string }>(),
    )
    .execute();
}

/** Sent and pending messages about the traces' detections. */
async function deleteAlerts(
  db: Db,
  tenantNo: number,
  detectionIds: readonly string[],
  traceIds: ReadonlySet<string>,
): Promise<void> {
  await deleteFolds(db, tenantNo, traceIds);
  if (detectionIds.length === 0) return;
  const alerts = await db
    .deleteFrom('alerts')
    .where('tenant_no', '=', tenantNo)
    .where('detection_id', 'in', detectionIds)
    .returning('message_id')
    .execute();
  const messageIds = [...new Set(alerts.flatMap((row) => row.message_id ?? []))];
  if (messageIds.length === 0) return;
  const messages = await db
    .selectFrom('alert_messages')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('message_id', 'in', messageIds)
    .execute();
  for (const { message_id, content } of messages) await removeFromMessage(db, tenantNo, message_id, content, traceIds);
}

/** A digest also contains other detections: only those of the traces are removed from it. */
async function removeFromMessage(
  db: Db,
  tenantNo: number,
  messageId: string,
  text: string,
  traceIds: ReadonlySet<string>,
): Promise<void> {
  const content = JSON.parse(text) as AlertContent;
  const groups = content.kind === 'digest' ? content.groups.filter(({ item }) => !traceIds.has(item.traceId)) : [];
  if (content.kind === 'digest' && groups.length > 0) {
    const shortened = JSON.stringify({ ...content, groups });
    await db
      .updateTable('alert_messages')
      .set({ content: shortened })
      .where('tenant_no', '=', tenantNo)
      .where('message_id', '=', messageId)
      .execute();
    return;
  }
  for (const table of ['alert_deliveries', 'alert_messages'] as const) {
    await db
      .deleteFrom(table as 'alert_messages')
      .where('tenant_no', '=', tenantNo)
      .where('message_id', '=', messageId)
      .execute();
  }
}

async function deleteFolds(db: Db, tenantNo: number, traceIds: ReadonlySet<string>): Promise<void> {
  const folds = await db
    .selectFrom('alert_folds')
    .select(['fold_key', 'item'])
    .where('tenant_no', '=', tenantNo)
    .execute();
  for (const { fold_key, item } of folds) {
    if (!traceIds.has((JSON.parse(item) as AlertItem).traceId)) continue;
    await db.deleteFrom('alert_folds').where('tenant_no', '=', tenantNo).where('fold_key', '=', fold_key).execute();
  }
}

const RESPONSES_PER_READ = 200;

/** Stored responses for repeated requests may mention the traces. */
async function deleteStoredResponses(db: Db, tenantNo: number, traceIds: readonly string[]): Promise<void> {
  const quoted = traceIds.map((traceId) => JSON.stringify(traceId));
  for (let last = ''; ; ) {
    const stored = await db
      .selectFrom('idempotency_keys')
      .select(['idempotency_key', 'response'])
      .where('tenant_no', '=', tenantNo)
      .where('idempotency_key', '>', last)
      .orderBy('idempotency_key')
      .limit(RESPONSES_PER_READ)
      .execute();
    const affected = stored.filter(({ response }) => quoted.some((traceId) => response?.includes(traceId)));
    if (affected.length > 0) {
      await db
        .deleteFrom('idempotency_keys')
        .where('tenant_no', '=', tenantNo)
        .where(
          'idempotency_key',
          'in',
          affected.map((entry) => entry.idempotency_key),
        )
        .execute();
    }
    if (stored.length < RESPONSES_PER_READ) return;
    last = stored[stored.length - 1]!.idempotency_key;
  }
}
