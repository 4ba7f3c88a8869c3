import type { IssuesListInput } from '../../../client/misstep-client.generated.ts';

export const TABS = [
  { id: 'open', label: 'Open', filter: { status: 'open' } },
  { id: 'new', label: 'New', filter: { new: true } },
  { id: 'regressed', label: 'Regressed', filter: { status: 'open', regressed: true } },
  { id: 'resolved', label: 'Resolved', filter: { status: 'resolved' } },
  { id: 'ignored', label: 'Ignored', filter: { status: 'ignored' } },
] as const satisfies readonly { id: string; label: string; filter: Partial<IssuesListInput> }[];

export type TabId = (typeof TABS)[number]['id'];

/** @param requestedTab id from the address; an unknown one selects the first tab */
export function tabOf(requestedTab: string | undefined): (typeof TABS)[number] {
  return TABS.find(({ id }) => id === requestedTab) ?? TABS[0];
}

/** The row that is selected after some rows change: the next row that stays, otherwise the previous one. */
export function nextSelected(ids: readonly string[], changedIds: ReadonlySet<string>, selected: string): string | null {
  const index = ids.indexOf(selected);
  if (!changedIds.has(selected)) return selected;
  const next = ids.slice(index + 1).find((id) => !changedIds.has(id));
  return next ?? ids.slice(0, Math.max(index, 0)).findLast((id) => !changedIds.has(id)) ?? null;
}
