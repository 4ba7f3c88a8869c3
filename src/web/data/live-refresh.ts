import { type LiveEventName, onLive } from './live.ts';
import { queries } from './queries.ts';
import { whenVisible } from './when-visible.ts';

/** At most two refreshes a second, however many events arrive. */
const EVERY_MS = 500;

/** Prefixes of the query keys that an event makes stale. */
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

/** Fetches again what events of the stream have changed: a tab in the background does so when it comes to the front. */
export function refreshLive(): void {
  const waiting = new Set<string>();
  onLive(({ name }) => {
    const prefixes = STALE[name];
    if (prefixes === undefined) return;
    if (waiting.size === 0) setTimeout(() => whenVisible(flush), EVERY_MS);
    for (const prefix of prefixes) waiting.add(prefix);
  });
  function flush(): void {
    const prefixes = [...waiting];
    waiting.clear();
    void queries.invalidate(...prefixes);
  }
}
