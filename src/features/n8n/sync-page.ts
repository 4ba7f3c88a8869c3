import type { JsonObject } from '../../core/json.ts';
import { idOf, timeOf } from '../../formats/n8n/json-fields.ts';
import type { PlatformSyncTable } from '../../store/integration-tables.ts';
import { isErrorWorkflow } from './n8n.source.ts';

/** How a page of executions, newest first, affects a sync run that goes back in time. */
export interface PageSelection {
  /** Executions to import. */
  selected: JsonObject[];
  /** Ids of those that have not ended, 200 at most: the next sync run fetches them again. */
  open: string[];
  read: number;
  /** Newest id on the page. */
  newest: string | null;
  /** Whether the following pages can be skipped. */
  isEnd: boolean;
}

/** Open executions that are kept for the next sync run. */
export const MAX_OPEN = 200;

const OPEN = new Set(['running', 'waiting', 'new']);

export function selectFromPage(
  page: readonly JsonObject[],
  { newest_taken: known, since_ms: since }: Pick<PlatformSyncTable, 'newest_taken' | 'since_ms'>,
): PageSelection {
  const selection: PageSelection = { selected: [], open: [], read: 0, newest: null, isEnd: false };
  for (const execution of page) {
    const id = idOf(execution.id);
    const startMs = timeOf(execution.startedAt);
    if (id !== null && known !== null && isUpTo(id, known)) selection.isEnd = true;
    else if (since !== null && startMs !== null && startMs < since) selection.isEnd = true;
    if (selection.isEnd) break;
    selection.read += 1;
    selection.newest = laterId(selection.newest, id);
    if (isErrorWorkflow(execution)) continue;
    selection.selected.push(execution);
    if (id !== null && isOpen(execution) && selection.open.length < MAX_OPEN) selection.open.push(id);
  }
  return selection;
}

function isOpen({ status }: JsonObject): boolean {
  return typeof status === 'string' && OPEN.has(status);
}

/** n8n numbers its executions; ids of another form can only be compared for equality. */
function isUpTo(id: string, known: string): boolean {
  return isCount(id) && isCount(known) ? BigInt(id) <= BigInt(known) : id === known;
}

export function laterId(one: string | null, other: string | null): string | null {
  if (one === null || other === null) return one ?? other;
  return isUpTo(one, other) && isCount(one) ? other : one;
}

function isCount(id: string): boolean {
  return /^\d{1,30}$/.test(id);
}
