import { type LiveEventName, onLive } from './live.ts';
import { queries } from './queries.ts';

/** At most two refreshes a second, however many events arrive. */
const EVERY_MS = 500;

/** Keys of queries that an event makes old, by their beginning. */
const STALE: Readonly<Partial<Record<LiveEventName, string>>> = {
  'execution.started': 'traces',
  'execution.updated': 'traces',
  'execution.finished': 'traces',
  'detection.created': 'traces',
  'issue.created': 'issues',
  'issue.regressed': 'issues',
  'issue.updated': 'issues',
  'healing.created': 'healing',
  'healing.updated': 'healing',
  gap: '',
};

/** Fetches again what events of the stream have changed. */
export function refreshLive(): void {
  const waiting = new Set<string>();
  onLive(({ name }) => {
    const prefix = STALE[name];
    if (prefix === undefined) return;
    if (waiting.size === 0) setTimeout(flush, EVERY_MS);
    waiting.add(prefix);
  });
  function flush(): void {
    const prefixes = [...waiting];
    waiting.clear();
    for (const prefix of prefixes) void queries.invalidate(prefix);
  }
}
