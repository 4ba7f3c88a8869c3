import { signal } from '@preact/signals';
import type { Issue } from '../../../client/misstep-client.generated.ts';
import { queries } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { tenantId } from '../../data/session.ts';
import { pluralize } from '../../parts/amounts.ts';
import { showFailure, showToast } from '../../parts/toasts.tsx';

export type IssueChange =
  | { action: 'resolve' }
  | { action: 'reopen' }
  | { action: 'ignore'; runs?: number | null; until?: string | null }
  | { action: 'snooze'; until?: string | null };

const STATUS_AFTER = { resolve: 'resolved', ignore: 'ignored', snooze: 'snoozed', reopen: 'open' } as const;
const PAST_TENSE = { resolve: 'resolved', ignore: 'ignored', snooze: 'snoozed', reopen: 'reopened' } as const;
const MAX_BATCH_SIZE = 200;

/** The optimistic status of each changed issue, by id, until the server confirms it. */
export const expectedStatuses = signal<ReadonlyMap<string, Issue['status']>>(new Map());

/** Changes issues optimistically, offers to undo the change, and restores them if the server rejects it. */
export async function changeIssues(issues: readonly Issue[], change: IssueChange): Promise<void> {
  const ids = issues.map(({ issue_id }) => issue_id);
  expectStatus(ids, STATUS_AFTER[change.action]);
  try {
    const missing = await send(ids, change);
    const changedIssues = issues.filter(({ issue_id }) => !missing.includes(issue_id));
    if (changedIssues.length > 0)
      showToast(
        `${pluralize(changedIssues.length, 'issue')} ${PAST_TENSE[change.action]}`,
        () => void undo(changedIssues),
      );
    if (missing.length > 0) showToast(`${pluralize(missing.length, 'issue')} no longer stored`);
  } catch (error) {
    const failureMessages = {
      resolve: 'Not resolved',
      ignore: 'Not ignored',
      snooze: 'Not snoozed',
      reopen: 'Not reopened',
    };
    showFailure(failureMessages[change.action], error, () => void changeIssues(issues, change));
  } finally {
    void refetchIssues(ids);
  }
}

/** @returns ids of issues that no longer exist */
async function send(ids: readonly string[], change: IssueChange): Promise<string[]> {
  const missing: string[] = [];
  for (let from = 0; from < ids.length; from += MAX_BATCH_SIZE) {
    const issue_ids = ids.slice(from, from + MAX_BATCH_SIZE);
    const { items } = await server.issues.changeMany({ tenant_id: tenantId.value!, body: { issue_ids, ...change } });
    missing.push(...items.flatMap(({ outcome, issue_id }) => (outcome === 'not_found' ? [issue_id] : [])));
  }
  return missing;
}

/** Restores the previous status of every issue. */
async function undo(issues: readonly Issue[]): Promise<void> {
  const groups = Map.groupBy(issues, ({ status, ignored_until, ignored_runs_left }) =>
    JSON.stringify(inverseChange(status, ignored_until, ignored_runs_left)),
  );
  const ids = issues.map(({ issue_id }) => issue_id);
  for (const { issue_id, status } of issues) expectStatus([issue_id], status);
  try {
    for (const [change, group] of groups)
      await send(
        group.map(({ issue_id }) => issue_id),
        JSON.parse(change) as IssueChange,
      );
  } catch (error) {
    showFailure('Not undone', error, () => void undo(issues));
  } finally {
    void refetchIssues(ids);
  }
}

function inverseChange(status: Issue['status'], until: string | null, runs: number | null): IssueChange {
  if (status === 'resolved') return { action: 'resolve' };
  return status === 'open' ? { action: 'reopen' } : { action: 'ignore', until, runs };
}

function expectStatus(ids: readonly string[], status: Issue['status']): void {
  expectedStatuses.value = new Map([...expectedStatuses.value, ...ids.map((id) => [id, status] as const)]);
}

/** Refetches the issues, then removes their expected statuses. */
async function refetchIssues(ids: readonly string[]): Promise<void> {
  const expectedBefore = expectedStatuses.peek();
  void queries.invalidate('overview');
  await queries.invalidate('issues');
  const isSettled = ([id, status]: readonly [string, string]) => ids.includes(id) && expectedBefore.get(id) === status;
  expectedStatuses.value = new Map([...expectedStatuses.peek()].filter((entry) => !isSettled(entry)));
}
