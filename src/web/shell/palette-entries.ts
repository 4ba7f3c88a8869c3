import { addressOf } from '../address/router.ts';
import type { RouteName } from '../address/routes.ts';

export interface PaletteEntry {
  /** Title of the entries of its kind. */
  group: string;
  label: string;
  /** Distinguishes entries with the same label. */
  detail?: string;
  to: string;
  keys?: string;
}

interface Entry {
  route: Exclude<RouteName, 'issue' | 'trace' | 'analytics' | 'plan' | 'settings'>;
  label: string;
  keys: string;
}

const TRACE_ID = /^[0-9a-f]{32}$/i;
const ISSUE_ID = /^iss_[0-9a-z]{20,}$/;
const PLAN_ID = /^op_[0-9a-z]{20,}$/;

/** The page of a pasted id, then the views whose name contains the letters in order; names that start with the text come first. */
export function paletteEntries(text: string, views: readonly Entry[]): PaletteEntry[] {
  const search = text.trim();
  const matches = views
    .filter(({ label }) => hasLetters(label.toLowerCase(), search.toLowerCase()))
    .sort((a, b) => Number(startsWithSearch(b.label, search)) - Number(startsWithSearch(a.label, search)));
  return [
    ...idEntries(search),
    ...matches.map(({ route, label, keys }) => ({ group: 'Views', label, to: addressOf(route), keys })),
  ];
}

function idEntries(id: string): PaletteEntry[] {
  if (TRACE_ID.test(id))
    return [{ group: 'By id', label: `Trace ${id}`, to: addressOf('trace', { id: id.toLowerCase() }) }];
  if (ISSUE_ID.test(id)) return [{ group: 'By id', label: `Issue ${id}`, to: addressOf('issue', { id }) }];
  if (PLAN_ID.test(id)) return [{ group: 'By id', label: `Plan ${id}`, to: addressOf('plan', { op: id }) }];
  return [];
}

function startsWithSearch(label: string, search: string): boolean {
  return search !== '' && label.toLowerCase().startsWith(search.toLowerCase());
}

function hasLetters(label: string, search: string): boolean {
  let from = 0;
  for (const letter of search) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
