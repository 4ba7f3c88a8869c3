import { signal } from '@preact/signals';
import type { Issue } from '../../../client/misstep-client.generated.ts';
import { addressOf, currentRoute, navigate } from '../../address/router.ts';
import { changeIssues, type IssueChange } from './issue-actions.ts';
import { nextSelected } from './issue-tabs.ts';

/** Ids of the checked rows. */
export const checked = signal<ReadonlySet<string>>(new Set());
/** Ids of the displayed rows, in order. */
export const shownIds = signal<readonly string[]>([]);
/** Id of the row whose details are shown. */
export const selectedId = signal<string | null>(null);

export function toggleChecked(id: string): void {
  const next = new Set(checked.value);
  if (!next.delete(id)) next.add(id);
  checked.value = next;
}

/** Opens an issue beside the list, and keeps the filters. */
export function select(id: string | null): void {
  const query = currentRoute.value?.query ?? {};
  navigate(id === null ? addressOf('issues', query) : addressOf('issue', { id }, query), { replace: true });
}

/** Changes issues and selects the next row. */
export async function changeAndSelectNext(issues: readonly Issue[], change: IssueChange): Promise<void> {
  if (issues.length === 0) return;
  const changedIds = new Set(issues.map(({ issue_id }) => issue_id));
  const current = selectedId.value;
  const next = current === null ? null : nextSelected(shownIds.value, changedIds, current);
  checked.value = new Set();
  const changing = changeIssues(issues, change);
  if (next !== current) select(next);
  await changing;
}
