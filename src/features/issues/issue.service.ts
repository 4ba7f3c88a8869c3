import type { Kysely } from 'kysely';
import { AppError } from '../../core/app-error.ts';
import type { Clock } from '../../core/clock.ts';
import { DETECTORS } from '../../detectors/registry.ts';
import type { Db } from '../../store/connection.ts';
import { type IssueFilter, readIssue, updateIssue } from '../../store/issue.store.ts';
import type { Database, IssueTable } from '../../store/schema.ts';
import { inTransaction } from '../../store/transaction.ts';
import { assertOrder, toRange } from '../_kit/cursor.ts';
import type { Page, PageRequest } from '../_kit/page.ts';
import type { TaskRunner } from '../offload/task-runner.ts';
import type { IssueRecord } from './issue.record.ts';
import { type IssueQuery, listIssuesTask, readIssuesTask } from './issue.tasks.ts';
import { afterAction, type Triage, type TriageAction } from './triage.ts';

/** Result of one issue of a batch; null: the issue does not exist. */
export interface IssueOutcome {
  issueId: string;
  issue: IssueRecord | null;
}

export interface IssueService {
  list(tenantId: string, query: IssueQuery, page: PageRequest): Promise<Page<IssueRecord>>;
  /** @throws AppError `not_found` */
  get(tenantId: string, issueId: string): Promise<IssueRecord>;
  /** @param by who does it @throws AppError `not_found`, `invalid_body` for a time in the past */
  change(tenantId: string, issueId: string, action: TriageAction, by: string): Promise<IssueRecord>;
  /** The same for several issues in one transaction; an issue that does not exist affects no other. */
  changeMany(tenantId: string, issueIds: readonly string[], action: TriageAction, by: string): Promise<IssueOutcome[]>;
}

type OnMissing = (issueId: string) => void;

export function createIssueService(options: {
  db: Kysely<Database>;
  clock: Clock;
  tasks: Pick<TaskRunner, 'start'>;
  tenantNoOf(tenantId: string): Promise<number>;
  onChanged(tenantNo: number, issue: IssueTable): void;
}): IssueService {
  const { db, clock, tasks, tenantNoOf } = options;

  async function recordsOf(tenantNo: number, issueIds: readonly string[]): Promise<IssueRecord[]> {
    const input = { tenantNo, issueIds: [...issueIds], now: clock.now() };
    return (await tasks.start(readIssuesTask, input, { tenantNo })).value();
  }

  async function readEach(handle: Db, tenantNo: number, issueIds: readonly string[], onMissing: OnMissing) {
    const rows: IssueTable[] = [];
    for (const issueId of new Set(issueIds)) {
      const row = await readIssue(handle, tenantNo, issueId);
      if (row === null) onMissing(issueId);
      else rows.push(row);
    }
    return rows;
  }

  /** Without an issue to change, there is no transaction, so that the audit log has no entry. */
  async function changeExisting(
    tenantNo: number,
    issueIds: readonly string[],
    triage: Triage & Pick<IssueTable, 'triaged_at'>,
    onMissing: OnMissing,
  ) {
    if ((await readEach(db, tenantNo, issueIds, onMissing)).length === 0) return [];
    return inTransaction(db, async (transaction) => {
      const rows = await readEach(transaction, tenantNo, issueIds, onMissing);
      for (const { issue_id } of rows) await updateIssue(transaction, tenantNo, issue_id, triage);
      return rows.map((row) => ({ ...row, ...triage }));
    });
  }

  /**
   * @param onMissing its error rolls the transaction back, so that a rejected change leaves no entry in the audit log
   */
  async function changeEach(
    tenantId: string,
    issueIds: readonly string[],
    action: TriageAction,
    by: string,
    onMissing: OnMissing,
  ) {
    const now = clock.now();
    if ('until' in action && action.until !== null && action.until <= now) throwInvalidUntil();
    const tenantNo = await tenantNoOf(tenantId);
    const triage = { ...afterAction(action, now, by), triaged_at: now };
    const changed = await changeExisting(tenantNo, issueIds, triage, onMissing);
    for (const row of changed) options.onChanged(tenantNo, row);
    const records = await recordsOf(
      tenantNo,
      changed.map(({ issue_id }) => issue_id),
    );
    const recordOf = new Map(records.map((record) => [record.issue_id, record]));
    return issueIds.map((issueId) => ({ issueId, issue: recordOf.get(issueId) ?? null }));
  }

  return {
    async list(tenantId, query, page) {
      assertSubtype(query.filter);
      assertOrder(toRange(page).after, true);
      const tenantNo = await tenantNoOf(tenantId);
      const input = { ...query, tenantNo, page, now: clock.now() };
      return (await tasks.start(listIssuesTask, input, { tenantNo })).value();
    },
    async get(tenantId, issueId) {
      const [record] = await recordsOf(await tenantNoOf(tenantId), [issueId]);
      return record ?? noSuchIssue(issueId);
    },
    async change(tenantId, issueId, action, by) {
      const [outcome] = await changeEach(tenantId, [issueId], action, by, noSuchIssue);
      return outcome?.issue ?? noSuchIssue(issueId);
    },
    changeMany: (tenantId, issueIds, action, by) => changeEach(tenantId, issueIds, action, by, () => {}),
  };
}

function throwInvalidUntil(): never {
  throw new AppError('invalid_body', 'The end of the period is in the past.', {
    errors: [{ pointer: '/until', message: 'must be in the future' }],
  });
}

function noSuchIssue(issueId: string): never {
  throw new AppError('not_found', `There is no issue ${issueId}.`);
}

/** @throws AppError `invalid_query` for a subtype that no detector, or not the one of the type, has */
function assertSubtype({ detectionType, subtype }: IssueFilter): void {
  if (subtype === null) return;
  const detectors = DETECTORS.filter(({ detector }) => detectionType === null || detector.type === detectionType);
  const known = detectors.flatMap(({ detector }) => Object.keys(detector.subtypes));
  if (known.includes(subtype)) return;
  const message = detectionType === null ? 'is not a subtype' : `must be one of ${known.join(', ')}`;
  throw new AppError('invalid_query', 'Query validation failed.', { errors: [{ pointer: '?subtype', message }] });
}
