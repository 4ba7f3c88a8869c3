import { isJsonObject, type JsonObject } from '../../core/json.ts';
import { summaryOf, textIn, timeIn } from '../../formats/dify/run-shape.ts';

/** A run that the next sync run needs. */
export interface KnownRun {
  id: string;
  /** Unix milliseconds of its log entry, in whole seconds. */
  at: number;
  /** It had not ended and is read again. The others were read already, in the newest second of the log. */
  isOpen: boolean;
}

/** State of the sync runs so far, passed from page to page. */
export interface LogState {
  /** All runs before this second were read, except open ones. */
  newest: number | null;
  remembered: KnownRun[];
}

/** An open run is no longer read after this time. */
const MAX_OPEN_MS = 7 * 86_400_000;
const MAX_REMEMBERED = 500;

const OPEN = new Set(['running', 'paused', 'scheduled', 'pending']);

/** Start of the requested part of the log; null for the whole log. */
export function afterOf({ newest, remembered }: LogState, sinceMs: number | null): number | null {
  if (newest === null) return sinceMs;
  return Math.min(newest, ...remembered.map(({ at }) => at));
}

/** @returns the entries of a page to import, and the state after it */
export function selectFromLogPage(
  page: readonly JsonObject[],
  before: LogState,
  seen: { newest: number | null; now: number },
): { selected: JsonObject[]; newest: number | null; remembered: KnownRun[] } {
  const known = new Map(before.remembered.map((run) => [run.id, run]));
  const selected: JsonObject[] = [];
  let newest = seen.newest;
  for (const entry of page) {
    const run = runIn(entry);
    if (run === null) {
      selected.push(entry);
      continue;
    }
    const isKnown = before.newest !== null && run.at <= before.newest;
    const earlier = known.get(run.id);
    if (isKnown && (earlier === undefined ? run.at < before.newest! : !earlier.isOpen)) continue;
    selected.push(entry);
    newest = newest === null || run.at > newest ? run.at : newest;
    known.set(run.id, run);
  }
  const retainedFrom = Math.max(newest ?? 0, before.newest ?? 0);
  const remembered = [...known.values()].filter(({ at, isOpen }) =>
    isOpen ? at > seen.now - MAX_OPEN_MS : at >= retainedFrom,
  );
  return { selected, newest, remembered: remembered.slice(-MAX_REMEMBERED) };
}

/** Time at which the log recorded the run. The log is ordered and filtered by it. */
function runIn(entry: JsonObject): KnownRun | null {
  const summary = summaryOf(entry);
  if (summary === null || !isJsonObject(summary)) return null;
  const at = timeIn(entry, 'created_at') ?? timeIn(summary, 'created_at');
  if (at === null) return null;
  return { id: summary.id as string, at, isOpen: OPEN.has(textIn(summary, 'status') ?? '') };
}
