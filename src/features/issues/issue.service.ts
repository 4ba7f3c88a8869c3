import type { Kysely } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import { type Clock, toRfc3339 } from '../../core/clock.ts';
import type { Db } from '../../store/connection.ts';
import {
  countIssues,
  type IssueFigures,
  listIssues,
  readIssue,
  readIssueFigures,
  updateIssue,
} from '../../store/issue.store.ts';
import type { Database, IssueTable } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { severity } from '../_kit/vocabulary.ts';

export const ISSUE_STATUSES = ['open', 'resolved', 'ignored'] as const;

/** The same fault across traces. */
export const issueRecord = z
  .object({
    issue_id: z.string(),
    detection_type: z.string(),
    subtype: z.string(),
    title: z.string(),
    severity: severity,
    status: z.enum(ISSUE_STATUSES),
    first_seen_at: z.string(),
    last_seen_at: z.string(),
    count: z.number().int().describe('Detections that stand and are not marked as false'),
    affected_agents: z.array(z.string()),
    wasted_tokens: z.number(),
    wasted_cost_usd: z.number(),
    fingerprint: z.string(),
    muted_at: z.string().nullable().describe('Nobody is alerted about it since then'),
    snoozed_until: z.string().nullable().describe('Nobody is alerted about it before then'),
  })
  .meta({ id: 'Issue' });
export type IssueRecord = z.input<typeof issueRecord>;

export interface IssueService {
  /** Seen last first. */
  list(tenantId: string, filter: { status: string | null }, page: PageRequest): Promise<Page<IssueRecord>>;
  /** @throws AppError `not_found` */
  get(tenantId: string, issueId: string): Promise<IssueRecord>;
  /** Alerts about it stop until it is unmuted. @throws AppError `not_found` */
  mute(tenantId: string, issueId: string): Promise<IssueRecord>;
  /** Alerts about it stop until then, Unix milliseconds. @throws AppError `not_found`, `invalid_body` for a time that is over */
  snooze(tenantId: string, issueId: string, until: number): Promise<IssueRecord>;
  /** Ends mute and snooze. @throws AppError `not_found` */
  unmute(tenantId: string, issueId: string): Promise<IssueRecord>;
}

export function createIssueService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tenantNoOf(tenantId: string): Promise<number>;
}): IssueService {
  const { db, clock, tenantNoOf } = options;

  async function toRecords(rows: readonly IssueTable[], tenantNo: number): Promise<Map<string, IssueRecord>> {
    const figures = await readIssueFigures(
      db,
      tenantNo,
      rows.map((row) => row.issue_id),
    );
    const figuresOf = Map.groupBy(figures, (figure) => figure.issueId);
    return new Map(rows.map((row) => [row.issue_id, toRecord(row, figuresOf.get(row.issue_id) ?? [])]));
  }

  async function get(tenantNo: number, issueId: string): Promise<IssueRecord> {
    return toRecord(await known(db, tenantNo, issueId), await readIssueFigures(db, tenantNo, [issueId]));
  }

  async function mark(
    tenantId: string,
    issueId: string,
    marks: Pick<IssueTable, 'muted_at' | 'snoozed_until'>,
  ): Promise<IssueRecord> {
    const tenantNo = await tenantNoOf(tenantId);
    await inTransaction(db, async (transaction) => {
      await known(transaction, tenantNo, issueId);
      await updateIssue(transaction, tenantNo, issueId, marks);
    });
    return get(tenantNo, issueId);
  }

  return {
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listIssues(db, tenantNo, filter, toRange(page));
      const records = await toRecords(rows, tenantNo);
      return toPage(rows, await countIssues(db, tenantNo, filter), page, {
        toItem: (row) => records.get(row.issue_id) as IssueRecord,
        positionOf: (row) => ({ at: row.last_seen_at, id: row.issue_id }),
      });
    },
    get: async (tenantId, issueId) => get(await tenantNoOf(tenantId), issueId),
    mute: (tenantId, issueId) => mark(tenantId, issueId, { muted_at: clock.now(), snoozed_until: null }),
    async snooze(tenantId, issueId, until) {
      if (until <= clock.now()) {
        const errors = [{ pointer: '/until', message: 'must lie in the future' }];
        throw new AppError('invalid_body', 'The snooze would be over already.', { errors });
      }
      return mark(tenantId, issueId, { muted_at: null, snoozed_until: until });
    },
    unmute: (tenantId, issueId) => mark(tenantId, issueId, { muted_at: null, snoozed_until: null }),
  };
}

function toRecord(row: IssueTable, figures: readonly IssueFigures[]): IssueRecord {
  const sumOf = (value: (figure: IssueFigures) => number) => figures.reduce((sum, figure) => sum + value(figure), 0);
  return {
    issue_id: row.issue_id,
    detection_type: row.detection_type,
    subtype: row.subtype,
    title: row.title,
    severity: row.severity as IssueRecord['severity'],
    status: row.status as IssueRecord['status'],
    first_seen_at: toRfc3339(row.first_seen_at),
    last_seen_at: toRfc3339(row.last_seen_at),
    count: sumOf((figure) => figure.count),
    affected_agents: figures.flatMap((figure) => (figure.agentId === null ? [] : [figure.agentId])),
    wasted_tokens: sumOf((figure) => figure.wastedTokens),
    wasted_cost_usd: sumOf((figure) => figure.wastedCostUsd),
    fingerprint: row.fingerprint,
    muted_at: row.muted_at === null ? null : toRfc3339(row.muted_at),
    snoozed_until: row.snoozed_until === null ? null : toRfc3339(row.snoozed_until),
  };
}

async function known(db: Db, tenantNo: number, issueId: string): Promise<IssueTable> {
  const row = await readIssue(db, tenantNo, issueId);
  if (row === null) throw new AppError('not_found', `There is no issue ${issueId}.`);
  return row;
}
