import type { Kysely } from 'kysely';
import { z } from 'zod';
import { AppError } from '../../core/app-error.ts';
import { toRfc3339 } from '../../core/clock.ts';
import type { Detection } from '../../core/detection.ts';
import { SEVERITIES } from '../../core/severity.ts';
import { countIssues, listIssues, readIssue, readIssueFigures } from '../../store/issue.store.ts';
import type { Database, IssueTable } from '../../store/schema.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';

export const ISSUE_STATUSES = ['open', 'resolved', 'ignored'] as const;

/** The same fault across traces. */
export const issueRecord = z.object({
  issue_id: z.string(),
  detection_type: z.string(),
  subtype: z.string(),
  title: z.string(),
  severity: z.enum(SEVERITIES),
  status: z.enum(ISSUE_STATUSES),
  first_seen_at: z.string(),
  last_seen_at: z.string(),
  count: z.number().int().describe('Detections that stand'),
  affected_agents: z.array(z.string()),
  wasted_tokens: z.number(),
  wasted_cost_usd: z.number(),
  fingerprint: z.string(),
});
export type IssueRecord = z.input<typeof issueRecord>;

export interface IssueService {
  /** Seen last first. */
  list(tenantId: string, filter: { status: string | null }, page: PageRequest): Promise<Page<IssueRecord>>;
  /** @throws AppError `not_found` */
  get(tenantId: string, issueId: string): Promise<IssueRecord>;
}

export function createIssueService(options: {
  db: Kysely<Database>;
  tenantNoOf(tenantId: string): Promise<number>;
}): IssueService {
  const { db, tenantNoOf } = options;

  async function toRecord(row: IssueTable): Promise<IssueRecord> {
    const occurrences = await readIssueFigures(db, row.tenant_no, row.issue_id);
    const found = occurrences.map((occurrence) => JSON.parse(occurrence.body) as Detection);
    const agents = occurrences.flatMap((occurrence) => (occurrence.agentId === null ? [] : [occurrence.agentId]));
    return {
      issue_id: row.issue_id,
      detection_type: row.detection_type,
      subtype: row.subtype,
      title: row.title,
      severity: row.severity as IssueRecord['severity'],
      status: row.status as IssueRecord['status'],
      first_seen_at: toRfc3339(row.first_seen_at),
      last_seen_at: toRfc3339(row.last_seen_at),
      count: found.length,
      affected_agents: [...new Set(agents)],
      wasted_tokens: found.reduce((sum, detection) => sum + detection.wastedTokens, 0),
      wasted_cost_usd: found.reduce((sum, detection) => sum + detection.wastedCostUsd, 0),
      fingerprint: row.fingerprint,
    };
  }

  return {
    async list(tenantId, filter, page) {
      const tenantNo = await tenantNoOf(tenantId);
      const rows = await listIssues(db, tenantNo, filter, toRange(page));
      const records = new Map(await Promise.all(rows.map(async (row) => [row.issue_id, await toRecord(row)] as const)));
      return toPage(rows, await countIssues(db, tenantNo, filter), page, {
        toItem: (row) => records.get(row.issue_id) as IssueRecord,
        positionOf: (row) => ({ at: row.last_seen_at, id: row.issue_id }),
      });
    },
    async get(tenantId, issueId) {
      const row = await readIssue(db, await tenantNoOf(tenantId), issueId);
      if (!row) throw new AppError('not_found', `There is no issue ${issueId}.`);
      return toRecord(row);
    },
  };
}
