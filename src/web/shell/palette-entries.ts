import { addressOf } from '../address/router.ts';
import type { RouteName } from '../address/routes.ts';

export interface PaletteEntry {
  label: string;
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

/** The page of a pasted id, then views whose name has the letters in their order; names that start with the text come first. */
export function paletteEntries(text: string, views: readonly Entry[]): PaletteEntry[] {
  const asked = text.trim();
  const fitting = views
    .filter(({ label }) => hasLetters(label.toLowerCase(), asked.toLowerCase()))
    .sort((one, other) => Number(startsSo(other.label, asked)) - Number(startsSo(one.label, asked)));
  return [...idEntries(asked), ...fitting.map(({ route, label, keys }) => ({ label, to: addressOf(route), keys }))];
}

function idEntries(id: string): PaletteEntry[] {
  if (TRACE_ID.test(id)) return [{ label: `Trace ${id}`, to: addressOf('trace', { id: id.toLowerCase() }) }];
  if (ISSUE_ID.test(id)) return [{ label: `Issue ${id}`, to: addressOf('issue', { id }) }];
  if (PLAN_ID.test(id)) return [{ label: `Plan ${id}`, to: addressOf('plan', { op: id }) }];
  return [];
}

function startsSo(label: string, asked: string): boolean {
  return asked !== '' && label.toLowerCase().startsWith(asked.toLowerCase());
}

function hasLetters(label: string, asked: string): boolean {
  let from = 0;
  for (const letter of asked) {
    from = label.indexOf(letter, from) + 1;
    if (from === 0) return false;
  }
  return true;
}
