import { sql } from 'kysely';
import type { Detection } from '../core/detection.ts';
import type { Db } from './connection.ts';
import { isIgnoredAt, isOpenAt, type NewTimes, newIssues } from './issue-state.store.ts';
import type { IssueTable } from './schema.ts';
import { inBatches } from './transaction.ts';

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

/** A trace with a detection of an issue. */
export interface IssueSource {
  traceId: string;
  serviceName: string | null;
  framework: string;
  name: string;
}

/** The traces of an issue, in the order of their detections, also of those withdrawn. */
export async function readIssueSources(db: Db, tenantNo: number, issueId: string): Promise<IssueSource[]> {
  return db
    .selectFrom('detections')
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select(['traces.trace_id as traceId', 'traces.service_name as serviceName', 'traces.framework', 'traces.name'])
    .where('detections.tenant_no', '=', tenantNo)
    .where('detections.issue_id', '=', issueId)
    .orderBy('detections.created_at')
    .orderBy('detections.detection_id')
    .execute();
}

const TRACES_PER_STATEMENT = 500;

/** Assigns the detections of these traces to another issue. */
export async function moveDetections(
  db: Db,
  tenantNo: number,
  traceIds: readonly string[],
  { from, to }: { from: string; to: string },
): Promise<void> {
  for (const slice of inBatches([...new Set(traceIds)], TRACES_PER_STATEMENT))
    await db
      .updateTable('detections')
      .set({ issue_id: to })
      .where('tenant_no', '=', tenantNo)
      .where('issue_id', '=', from)
      .where('trace_id', 'in', slice)
      .execute();
}

export interface IssueFilter {
  /** `ignored` includes the snoozed ones: those ignored until a time. */
  status: 'open' | 'resolved' | 'ignored' | 'snoozed' | null;
  detectionType: string | null;
  subtype: string | null;
  /** Agent of any of its detections: one issue can have several agents. */
  agentId: string | null;
  /** Service and workflow of any of its runs. */
  service: string | null;
  workflowId: string | null;
  severity: string | null;
  /** Reopened by a detection after it was resolved. */
  isRegressed: boolean | null;
  isNew: boolean | null;
}

/** Every issue that matches, in no order. @param times its `at` decides which ignored issues are open again */
export function listIssues(db: Db, tenantNo: number, filter: IssueFilter, times: NewTimes): Promise<IssueTable[]> {
  let query = db.selectFrom('issues').selectAll().where('tenant_no', '=', tenantNo);
  const { status, detectionType, subtype, agentId, service, workflowId, severity, isRegressed, isNew } = filter;
  const now = times.at;
  if (status === 'open') query = query.where(isOpenAt(now));
  if (status === 'resolved') query = query.where('status', '=', status);
  if (status === 'ignored') query = query.where(isIgnoredAt(now));
  if (status === 'snoozed') query = query.where('status', '=', 'ignored').where('ignored_until', '>', now);
  if (detectionType !== null) query = query.where('detection_type', '=', detectionType);
  if (subtype !== null) query = query.where('subtype', '=', subtype);
  if (agentId !== null) query = query.where('issue_id', 'in', issuesOfAgent(db, tenantNo, agentId));
  if (service !== null) query = query.where('issue_id', 'in', issuesOfRuns(db, tenantNo, 'service_name', service));
  if (workflowId !== null) query = query.where('issue_id', 'in', issuesOfRuns(db, tenantNo, 'workflow_id', workflowId));
  if (severity !== null) query = query.where('severity', '=', severity);
  if (isRegressed !== null) query = query.where('regressed_at', isRegressed ? 'is not' : 'is', null);
  if (isNew !== null) query = query.where('issue_id', isNew ? 'in' : 'not in', newIssues(db, tenantNo, times));
  return query.execute();
}

function issuesOfAgent(db: Db, tenantNo: number, agentId: string) {
  return countedDetections(db, tenantNo)
    .select('detections.issue_id')
    .where('detections.agent_id', '=', agentId)
    .where('detections.issue_id', 'is not', null);
}

function issuesOfRuns(db: Db, tenantNo: number, column: 'service_name' | 'workflow_id', value: string) {
  return countedDetections(db, tenantNo)
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select('detections.issue_id')
    .where(`traces.${column}`, '=', value)
    .where('detections.issue_id', 'is not', null);
}

/** Open issues of each agent that has any; an issue with several agents counts for each. */
export async function openIssuesByAgent(db: Db, tenantNo: number, now: number): Promise<Map<string, number>> {
  const rows = await countedDetections(db, tenantNo)
    .innerJoin('issues', (join) =>
      join.onRef('issues.tenant_no', '=', 'detections.tenant_no').onRef('issues.issue_id', '=', 'detections.issue_id'),
    )
    .select(['detections.agent_id', ({ fn }) => fn.count<number>('detections.issue_id').distinct().as('count')])
    .where('detections.agent_id', 'is not', null)
    .where(isOpenAt(now))
    .groupBy('detections.agent_id')
    .execute();
  return new Map(rows.map(({ agent_id, count }) => [agent_id as string, Number(count)]));
}

export interface IssueDay {
  issueId: string;
  /** Days after `since`. */
  day: number;
  runs: number;
  wastedCostUsd: number;
}

const DAY_MS = 86_400_000;

/** Runs of each day in which an issue occurs, and what they wasted. @param issueIds null: of all issues */
export async function readIssueDays(
  db: Db,
  tenantNo: number,
  since: number,
  issueIds: readonly string[] | null,
): Promise<IssueDay[]> {
  const day = sql<number>`cast((traces.started_at - ${since}) / ${DAY_MS} as integer)`;
  let query = countedDetections(db, tenantNo)
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select((select) => [
      'detections.issue_id',
      day.as('day'),
      select.fn.count<number>('detections.trace_id').distinct().as('runs'),
      select.fn.sum<number>('detections.wasted_cost_usd').as('wasted_cost_usd'),
    ])
    // A detection is not older than its run, so that this reads only a part of the index.
    .where('detections.created_at', '>=', since)
    .where('traces.started_at', '>=', since)
    .groupBy(['detections.issue_id', day]);
  query =
    issueIds === null
      ? query.where('detections.issue_id', 'is not', null)
      : query.where('detections.issue_id', 'in', issueIds);
  const rows = await query.execute();
  return rows.map((row) => ({
    issueId: row.issue_id as string,
    day: Number(row.day),
    runs: Number(row.runs),
    wastedCostUsd: Number(row.wasted_cost_usd),
  }));
}

/** The newest detection of an issue. */
export interface ExampleDetection {
  detectionId: string;
  explanation: string;
}

/** The newest detection of an issue; null if each is withdrawn or marked as false. */
export async function readExampleDetection(
  db: Db,
  tenantNo: number,
  issueId: string,
): Promise<ExampleDetection | null> {
  const row = await countedDetections(db, tenantNo)
    .select(['detections.detection_id', 'detections.body'])
    .where('detections.issue_id', '=', issueId)
    .orderBy('detections.created_at', 'desc')
    .orderBy('detections.detection_id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (row === undefined) return null;
  const { explanation } = JSON.parse(row.body) as Pick<Detection, 'explanation'>;
  return { detectionId: row.detection_id, explanation };
}

/** Texts by which an issue is found. */
export interface IssueTexts {
  issueId: string;
  texts: string[];
}

/** Agents, services, workflows, projects and frameworks of each issue, and the explanation of its newest detection. */
export async function readIssueTexts(db: Db, tenantNo: number): Promise<IssueTexts[]> {
  const sources = await countedDetections(db, tenantNo)
    .innerJoin('traces', (join) =>
      join.onRef('traces.tenant_no', '=', 'detections.tenant_no').onRef('traces.trace_id', '=', 'detections.trace_id'),
    )
    .select([
      'detections.issue_id',
      'detections.agent_id',
      'traces.service_name',
      'traces.framework',
      'traces.name',
      'traces.project',
    ])
    .distinct()
    .where('detections.issue_id', 'is not', null)
    .execute();
  const newest = sql<number>`row_number() over (
    partition by detections.issue_id order by detections.created_at desc, detections.detection_id desc)`;
  const ranked = countedDetections(db, tenantNo)
    .select(['detections.issue_id', 'detections.detection_id', newest.as('place')])
    .where('detections.issue_id', 'is not', null);
  const examples = await db
    .selectFrom('detections')
    .innerJoin(ranked.as('ranked'), 'ranked.detection_id', 'detections.detection_id')
    .select(['detections.issue_id', 'detections.body'])
    .where('detections.tenant_no', '=', tenantNo)
    .where('ranked.place', '=', 1)
    .execute();
  return [
    ...sources.map(({ issue_id, ...texts }) => ({
      issueId: issue_id as string,
      texts: Object.values(texts).filter((text) => text !== null),
    })),
    ...examples.map(({ issue_id, body }) => ({
      issueId: issue_id as string,
      texts: [(JSON.parse(body) as Pick<Detection, 'explanation'>).explanation],
    })),
  ];
}

/** Detections that are neither withdrawn nor marked as false. */
export function countedDetections(db: Db, tenantNo: number) {
  return db
    .selectFrom('detections')
    .where('detections.tenant_no', '=', tenantNo)
    .where('detections.withdrawn_at', 'is', null)
    .where((where) => where.or([where('detections.is_valid', 'is', null), where('detections.is_valid', '=', 1)]));
}

export interface IssueFigures {
  issueId: string;
  agentId: string | null;
  count: number;
  wastedTokens: number;
  wastedCostUsd: number;
}

/** Occurrences and waste of issues by agent, over the detections that are neither withdrawn nor marked as false. */
export async function readIssueFigures(db: Db, tenantNo: number, issueIds: readonly string[]): Promise<IssueFigures[]> {
  if (issueIds.length === 0) return [];
  const rows = await countedDetections(db, tenantNo)
    .select((select) => [
      'issue_id',
      'agent_id',
      select.fn.countAll<number>().as('count'),
      select.fn.sum<number>('wasted_tokens').as('wasted_tokens'),
      select.fn.sum<number>('wasted_cost_usd').as('wasted_cost_usd'),
    ])
    .where('issue_id', 'in', issueIds)
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

/** The runs of an issue. */
export interface IssueRuns {
  count: number;
  /** Unix milliseconds. */
  firstStartedAt: number;
  lastStartedAt: number;
  /** Of the runs whose cost is known; null without such a run. */
  costUsd: number | null;
}

/** The runs per issue, by issue id; detections marked as false are omitted. */
export async function readIssueRuns(
  db: Db,
  tenantNo: number,
  issueIds: readonly string[],
): Promise<Map<string, IssueRuns>> {
  if (issueIds.length === 0) return new Map();
  // A run with several detections of an issue counts once.
  const runs = countedDetections(db, tenantNo)
    .select(['detections.issue_id', 'detections.trace_id'])
    .distinct()
    .where('detections.issue_id', 'in', issueIds);
  const rows = await db
    .selectFrom(runs.as('runs'))
    .innerJoin('traces', (join) =>
      join.onRef('traces.trace_id', '=', 'runs.trace_id').on('traces.tenant_no', '=', tenantNo),
    )
    .select((select) => [
      'runs.issue_id',
      select.fn.countAll<number>().as('count'),
      select.fn.min<number>('traces.started_at').as('first_started_at'),
      select.fn.max<number>('traces.started_at').as('last_started_at'),
      select.fn.sum<number | null>('traces.cost_usd').as('cost_usd'),
    ])
    .groupBy('runs.issue_id')
    .execute();
  return new Map(
    rows.map((row) => [
      row.issue_id as string,
      {
        count: Number(row.count),
        firstStartedAt: Number(row.first_started_at),
        lastStartedAt: Number(row.last_started_at),
        costUsd: row.cost_usd === null ? null : Number(row.cost_usd),
      },
    ]),
  );
}

/** Number of runs per issue, by issue id; detections marked as false are omitted. */
export async function countTracesOfIssues(
  db: Db,
  tenantNo: number,
  issueIds: readonly string[],
): Promise<Map<string, number>> {
  if (issueIds.length === 0) return new Map();
  const rows = await countedDetections(db, tenantNo)
    .select((select) => ['issue_id', select.fn.count<number>('trace_id').distinct().as('count')])
    .where('issue_id', 'in', issueIds)
    .groupBy('issue_id')
    .execute();
  return new Map(rows.map((row) => [row.issue_id as string, Number(row.count)]));
}
