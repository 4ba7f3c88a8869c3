import type { Db } from './connection.ts';
import type { IssueTable } from './schema.ts';

export async function readIssueByFingerprint(
  db: Db,
  tenantNo: number,
  fingerprint: string,
): Promise<IssueTable | null> {
  const row = await db
    .selectFrom('issues')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('fingerprint', '=', fingerprint)
    .executeTakeFirst();
  return row ?? null;
}

export async function readIssue(db: Db, tenantNo: number, issueId: string): Promise<IssueTable | null> {
  const row = await db
    .selectFrom('issues')
    .selectAll()
    .where('tenant_no', '=', tenantNo)
    .where('issue_id', '=', issueId)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertIssue(db: Db, row: IssueTable): Promise<void> {
  await db.insertInto('issues').values(row).execute();
}

export async function updateIssue(
  db: Db,
  tenantNo: number,
  issueId: string,
  values: Partial<IssueTable>,
): Promise<void> {
  await db
    .updateTable('issues')
    .set(values)
    .where('tenant_no', '=', tenantNo)
    .where('issue_id', '=', issueId)
    .execute();
}

export function listIssues(
  db: Db,
  tenantNo: number,
  filter: { status: string | null },
  range: { after: { at: number; id: string } | null; offset: number; limit: number },
): Promise<IssueTable[]> {
  let query = filtered(db, tenantNo, filter).selectAll().orderBy('last_seen_at', 'desc').orderBy('issue_id', 'desc');
  const { after } = range;
  if (after)
    query = query.where((where) =>
      where(where.refTuple('last_seen_at', 'issue_id'), '<', where.tuple(after.at, after.id)),
    );
  return query.offset(range.offset).limit(range.limit).execute();
}

export async function countIssues(db: Db, tenantNo: number, filter: { status: string | null }): Promise<number> {
  const row = await filtered(db, tenantNo, filter)
    .select((select) => select.fn.countAll().as('count'))
    .executeTakeFirst();
  return Number(row?.count ?? 0);
}

function filtered(db: Db, tenantNo: number, filter: { status: string | null }) {
  const query = db.selectFrom('issues').where('tenant_no', '=', tenantNo);
  return filter.status === null ? query : query.where('status', '=', filter.status);
}

export interface IssueFigures {
  issueId: string;
  agentId: string | null;
  count: number;
  wastedTokens: number;
  wastedCostUsd: number;
}

/** Occurrences and waste of issues by agent, counted over the detections that stand and that no user has marked as false. */
export async function readIssueFigures(db: Db, tenantNo: number, issueIds: readonly string[]): Promise<IssueFigures[]> {
  if (issueIds.length === 0) return [];
  const rows = await db
    .selectFrom('detections')
    .select((select) => [
      'issue_id',
      'agent_id',
      select.fn.countAll<number>().as('count'),
      select.fn.sum<number>('wasted_tokens').as('wasted_tokens'),
      select.fn.sum<number>('wasted_cost_usd').as('wasted_cost_usd'),
    ])
    .where('tenant_no', '=', tenantNo)
    .where('issue_id', 'in', issueIds)
    .where('withdrawn_at', 'is', null)
    .where((where) => where.or([where('is_valid', 'is', null), where('is_valid', '=', 1)]))
    .groupBy(['issue_id', 'agent_id'])
    .orderBy('agent_id')
    .execute();
  return rows.map((row) => ({
    issueId: row.issue_id as string,
    agentId: row.agent_id,
    count: Number(row.count),
    wastedTokens: Number(row.wasted_tokens),
    wastedCostUsd: Number(row.wasted_cost_usd),
  }));
}

/** Runs in which each issue occurs, by issue id; what a user has marked as false is left out. */
export async function countTracesOfIssues(
  db: Db,
  tenantNo: number,
  issueIds: readonly string[],
): Promise<Map<string, number>> {
  if (issueIds.length === 0) return new Map();
  const rows = await db
    .selectFrom('detections')
    .select((select) => ['issue_id', select.fn.count<number>('trace_id').distinct().as('count')])
    .where('tenant_no', '=', tenantNo)
    .where('issue_id', 'in', issueIds)
    .where('withdrawn_at', 'is', null)
    .where((where) => where.or([where('is_valid', 'is', null), where('is_valid', '=', 1)]))
    .groupBy('issue_id')
    .execute();
  return new Map(rows.map((row) => [row.issue_id as string, Number(row.count)]));
}
