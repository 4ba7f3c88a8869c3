import { type LiveEventName, onLive } from './live.ts';
import { queries } from './queries.ts';
import { whenVisible } from './when-visible.ts';

/** At most two refreshes a second, however many events arrive. */
const MIN_INTERVAL_MS = 500;

/** Prefixes of the query keys that an event makes stale. */
const STALE_PREFIXES: Readonly<Partial<Record<LiveEventName, readonly string[]>>> = {
  'execution.started': ['traces'],
  'execution.updated': ['traces'],
  'execution.finished': ['traces'],
  'detection.created': ['traces'],
  'issue.created': ['issues', 'overview'],
  'issue.regressed': ['issues', 'healing', 'overview'],
  'issue.updated': ['issues', 'healing', 'overview'],
  'healing.created': ['healing', 'issues', 'overview'],
  'healing.updated': ['healing', 'issues', 'overview'],
  'import.created': ['imports', 'overview'],
  'import.updated': ['imports', 'overview'],
  gap: [''],
};

/** Refetches the queries that live events make stale; a hidden tab refetches when it becomes visible. */
export function refreshOnLiveEvents(): void {
  const pendingPrefixes = new Set<string>();
  onLive(({ name }) => {
    const prefixes = STALE_PREFIXES[name];
    if (prefixes === undefined) return;
    if (pendingPrefixes.size === 0) setTimeout(() => whenVisible(flush), MIN_INTERVAL_MS);
    for (const prefix of prefixes) pendingPrefixes.add(prefix);
  });
  function flush(): void {
    const prefixes = [...pendingPrefixes];
    pendingPrefixes.clear();
    void queries.invalidate(...prefixes);
  }
}
