import type { Db } from '../../store/connection.ts';
import { listPlansOfIssues } from '../../store/fix-outcome.store.ts';
import {
  type IssueDay,
  type IssueFilter,
  type IssueTexts,
  listIssues,
  readExampleDetection,
  readIssue,
  readIssueDays,
  readIssueFigures,
  readIssueRuns,
  readIssueTexts,
} from '../../store/issue.store.ts';
import { readNewIssueIds } from '../../store/issue-state.store.ts';
import { readIssueWorkflows } from '../../store/issue-workflow.store.ts';
import type { IssueTable } from '../../store/schema.ts';
import { toPage, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import { defineTask } from '../offload/task.ts';
import { newestFixAt, readFixOutcome, toIssuePlans } from './fix-outcome.ts';
import { recentSince } from './impact.ts';
import { type IssueRecord, MAX_WORKFLOWS, newSince, toIssueRecord } from './issue.record.ts';
import { compare, type IssueSort, inOrderOf, type RankedIssue } from './issue-order.ts';

export interface IssueQuery {
  filter: IssueFilter;
  /** Words of the row in any order, case-insensitive and with spaces or underscores; null: all. */
  text: string | null;
  sort: IssueSort;
}

/** The order needs the recent runs of every matching issue, so it is computed on a worker. */
export const listIssuesTask = defineTask<Page<IssueRecord>>()<
  IssueQuery & { tenantNo: number; page: PageRequest; now: number }
>({
  name: 'issues.list',
  kind: 'read',
  async *run({ db }, { tenantNo, filter, text, sort, page, now }) {
    const { limit, offset, after } = toRange(page);
    const matchesText = text === null ? () => true : matching(text, await readIssueTexts(db, tenantNo));
    const rows = (await listIssues(db, tenantNo, filter, { at: now, since: newSince(now) })).filter(matchesText);
    const days = byIssue(await readIssueDays(db, tenantNo, recentSince(now), null));
    const ranked = inOrderOf(sort, rows, days);
    const rest = after === null ? ranked : ranked.filter(({ position }) => compare(after, position) < 0);
    const shown = rest.slice(offset, offset + limit);
    const records = await toRecords(db, tenantNo, shown, days, now);
    yield JSON.stringify(
      toPage(shown, rows.length, page, {
        toItem: ({ row }) => records.get(row.issue_id) as IssueRecord,
        positionOf: ({ position }) => position,
      }),
    );
  },
});

/** Issues by their ids, without those that do not exist. */
export const readIssuesTask = defineTask<IssueRecord[]>()<{ tenantNo: number; issueIds: string[]; now: number }>({
  name: 'issues.read',
  kind: 'read',
  async *run({ db }, { tenantNo, issueIds, now }) {
    const rows: IssueTable[] = [];
    for (const issueId of issueIds) {
      const row = await readIssue(db, tenantNo, issueId);
      if (row !== null) rows.push(row);
    }
    const days = byIssue(await readIssueDays(db, tenantNo, recentSince(now), issueIds));
    const records = await toRecords(db, tenantNo, inOrderOf('impact', rows, days), days, now);
    yield JSON.stringify(rows.map((row) => records.get(row.issue_id)));
  },
});

export const issueTasks = [listIssuesTask, readIssuesTask];

/** Whether the texts of an issue contain each word. */
function matching(text: string, texts: readonly IssueTexts[]): (row: IssueTable) => boolean {
  const words = wordsOf(text);
  const textsOf = Map.groupBy(texts, ({ issueId }) => issueId);
  return ({ title, detection_type, subtype, agent_id, issue_id }) => {
    const found = textsOf.get(issue_id)?.flatMap((one) => one.texts) ?? [];
    const all = wordsOf([title, detection_type, subtype, agent_id ?? '', issue_id, ...found].join('\n')).join(' ');
    return words.every((word) => all.includes(word));
  };
}

/** `retry_storm`, `retry storm` and `loop/retry_storm` have the same words. */
function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s_/]+/)
    .filter((word) => word !== '');
}

function byIssue(days: readonly IssueDay[]): Map<string, IssueDay[]> {
  return Map.groupBy(days, ({ issueId }) => issueId);
}

async function toRecords(
  db: Db,
  tenantNo: number,
  ranked: readonly RankedIssue[],
  days: ReadonlyMap<string, readonly IssueDay[]>,
  now: number,
): Promise<Map<string, IssueRecord>> {
  const issueIds = ranked.map(({ row }) => row.issue_id);
  const figures = Map.groupBy(await readIssueFigures(db, tenantNo, issueIds), ({ issueId }) => issueId);
  const runs = await readIssueRuns(db, tenantNo, issueIds);
  const workflows = Map.groupBy(
    await readIssueWorkflows(db, tenantNo, issueIds, MAX_WORKFLOWS),
    ({ issueId }) => issueId,
  );
  const newIds = await readNewIssueIds(db, tenantNo, issueIds, { at: now, since: newSince(now) });
  const plans = Map.groupBy(await listPlansOfIssues(db, tenantNo, issueIds), ({ issue_id }) => issue_id);
  const records = new Map<string, IssueRecord>();
  for (const { row, impact } of ranked) {
    const { issue_id: issueId } = row;
    const ownPlans = plans.get(issueId) ?? [];
    const fixedAt = newestFixAt(row, ownPlans);
    const parts = {
      isNew: newIds.has(issueId),
      figures: figures.get(issueId) ?? [],
      days: days.get(issueId) ?? [],
      runs: runs.get(issueId) ?? null,
      workflows: workflows.get(issueId) ?? [],
      impact,
      plans: await toIssuePlans(db, row, ownPlans),
      fixOutcome: fixedAt === null ? null : await readFixOutcome(db, row, fixedAt),
      example: await readExampleDetection(db, tenantNo, issueId),
    };
    records.set(issueId, toIssueRecord(row, parts, now));
  }
  return records;
}
