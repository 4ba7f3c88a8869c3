import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { timeText } from '../../parts/times.ts';
import { usePolling } from '../../parts/use-polling.ts';

/** The sync state of a registration. */
export interface SyncState {
  status: 'never' | 'idle' | 'queued' | 'running' | 'waiting' | 'failed';
  failure: string | null;
  finished_at: string | null;
  next_run_at: string | null;
  /** Runs that the current or the last sync run stored as traces. */
  fetchedRuns: number;
}

export type SyncByRegistration = ReadonlyMap<string, SyncState>;

const BUSY_MS = 1_000;
const IDLE_MS = 30_000;
const BUSY = new Set(['queued', 'running']);

/** The sync states of all registrations; polled more often while a sync run is in progress. */
export function useSyncs(tenant: string): { byRegistration: SyncByRegistration; refresh(): Promise<void> } {
  const key = `syncs/${tenant}`;
  const query = useQuery(key, async (signal) => {
    const [n8n, dify] = await Promise.all([
      server.flowplatform.syncStatus({}, { signal }),
      server.llmapps.syncStatus({}, { signal }),
    ]);
    return new Map<string, SyncState>([
      ...n8n.items.map((item): [string, SyncState] => [
        item.instance_id,
        { ...item, fetchedRuns: item.executions_taken },
      ]),
      ...dify.items.map((item): [string, SyncState] => [item.app_id, { ...item, fetchedRuns: item.runs_taken }]),
    ]);
  });
  const byRegistration = query.value.value ?? new Map<string, SyncState>();
  const isBusy = [...byRegistration.values()].some(({ status }) => BUSY.has(status));
  usePolling(key, isBusy ? BUSY_MS : IDLE_MS);
  return { byRegistration, refresh: async () => void (await queries.invalidate(key)) };
}

/** The state as text, such as `12 new at 14:03`, or why the sync run failed. */
export function syncText({ status, failure, finished_at, next_run_at, fetchedRuns }: SyncState): string {
  const next = next_run_at === null ? '' : `; next ${timeText(next_run_at)}`;
  if (status === 'never') return `never${next}`;
  if (status === 'queued') return 'queued';
  if (status === 'running') return `running, ${fetchedRuns} so far`;
  if (failure !== null) return `failed: ${failure}${next}`;
  return `${fetchedRuns} new${finished_at === null ? '' : ` at ${timeText(finished_at)}`}${next}`;
}
