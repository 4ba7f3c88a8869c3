import type { IssuesListInput } from '../../../client/misstep-client.generated.ts';

export const TABS = [
  { id: 'open', label: 'Open', filter: { status: 'open' } },
  { id: 'new', label: 'New', filter: { new: true } },
  { id: 'regressed', label: 'Regressed', filter: { status: 'open', regressed: true } },
  { id: 'resolved', label: 'Resolved', filter: { status: 'resolved' } },
  { id: 'ignored', label: 'Ignored', filter: { status: 'ignored' } },
] as const satisfies readonly { id: string; label: string; filter: Partial<IssuesListInput> }[];

export type TabId = (typeof TABS)[number]['id'];

/** @param asked what the address says; anything unknown shows what is open */
export function tabOf(asked: string | undefined): (typeof TABS)[number] {
  return TABS.find(({ id }) => id === asked) ?? TABS[0];
}

/** The row that is selected after an action on some rows: the next one that stays, or the one before. */
export function nextSelected(ids: readonly string[], acted: ReadonlySet<string>, selected: string): string | null {
  const at = ids.indexOf(selected);
  if (!acted.has(selected)) return selected;
  const after = ids.slice(at + 1).find((id) => !acted.has(id));
  return after ?? ids.slice(0, Math.max(at, 0)).findLast((id) => !acted.has(id)) ?? null;
}
