import { type LiveEventName, onLive } from './live.ts';
import { queries } from './queries.ts';

/** At most two refreshes a second, however many events arrive. */
const EVERY_MS = 500;

/** Keys of queries that an event makes old, by their beginning. */
const STALE: Readonly<Partial<Record<LiveEventName, readonly string[]>>> = {
  'execution.started': ['traces'],
  'execution.updated': ['traces'],
  'execution.finished': ['traces'],
  'detection.created': ['traces'],
  'issue.created': ['issues', 'overview'],
  'issue.regressed': ['issues', 'overview'],
  'issue.updated': ['issues', 'overview'],
  'healing.created': ['healing', 'overview'],
  'healing.updated': ['healing', 'overview'],
  'import.created': ['imports', 'overview'],
  'import.updated': ['imports', 'overview'],
  gap: [''],
};

/** Fetches again what events of the stream have changed. */
export function refreshLive(): void {
  const waiting = new Set<string>();
  onLive(({ name }) => {
    const prefixes = STALE[name];
    if (prefixes === undefined) return;
    if (waiting.size === 0) setTimeout(flush, EVERY_MS);
    for (const prefix of prefixes) waiting.add(prefix);
  });
  function flush(): void {
    const prefixes = [...waiting];
    waiting.clear();
    for (const prefix of prefixes) void queries.invalidate(prefix);
  }
}
