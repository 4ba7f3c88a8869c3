import { queries, useQuery } from '../../data/queries.ts';
import { server } from '../../data/server.ts';
import { timeText } from '../../parts/times.ts';
import { usePolling } from '../../parts/use-polling.ts';

/** How far the runs of a registration were fetched. */
export interface SyncState {
  status: 'never' | 'idle' | 'queued' | 'running' | 'waiting' | 'failed';
  failure: string | null;
  finished_at: string | null;
  next_run_at: string | null;
  /** Runs that became traces in the sync run in progress, or the last one. */
  taken: number;
}

export type SyncByRegistration = ReadonlyMap<string, SyncState>;

const BUSY_MS = 1_000;
const IDLE_MS = 30_000;
const BUSY = new Set(['queued', 'running']);

/** States of all platforms whose runs are fetched; read more often while one is in progress. */
export function useSyncs(tenant: string): { byRegistration: SyncByRegistration; refresh(): Promise<void> } {
  const key = `syncs/${tenant}`;
  const query = useQuery(key, async (signal) => {
    const [n8n, dify] = await Promise.all([
      server.flowplatform.syncStatus({}, { signal }),
      server.llmapps.syncStatus({}, { signal }),
    ]);
    return new Map<string, SyncState>([
      ...n8n.items.map((one): [string, SyncState] => [one.instance_id, { ...one, taken: one.executions_taken }]),
      ...dify.items.map((one): [string, SyncState] => [one.app_id, { ...one, taken: one.runs_taken }]),
    ]);
  });
  const byRegistration = query.value.value ?? new Map<string, SyncState>();
  const isBusy = [...byRegistration.values()].some(({ status }) => BUSY.has(status));
  usePolling(key, isBusy ? BUSY_MS : IDLE_MS);
  return { byRegistration, refresh: async () => void (await queries.invalidate(key)) };
}

/** `12 runs, 14:03` or why fetching failed. */
export function syncText({ status, failure, finished_at, next_run_at, taken }: SyncState): string {
  const next = next_run_at === null ? '' : `; next ${timeText(next_run_at)}`;
  if (status === 'never') return `never${next}`;
  if (status === 'queued') return 'queued';
  if (status === 'running') return `running, ${taken} so far`;
  if (failure !== null) return `failed: ${failure}${next}`;
  return `${taken} new${finished_at === null ? '' : ` at ${timeText(finished_at)}`}${next}`;
}
