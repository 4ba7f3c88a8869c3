import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreState } from '../store/store-state.ts';
import { WorkerPool } from './worker-pool.ts';
import type { StoreFile, WorkerTasks } from './worker-tasks.ts';
import type { WorkerEntry } from './worker-thread.ts';

export interface IntegrityCheckOptions {
  entry: WorkerEntry;
  store: StoreFile;
  state: StoreState;
  /** Delay before the first check, and between the end of one check and the next. */
  firstMs: number;
  everyMs: number;
  /** Delay between two tables, which spreads the reads of a large database over a longer time. */
  pauseMs?: number;
  onError(error: unknown): void;
}

export interface IntegrityCheck {
  stop(): Promise<void>;
}

const PAUSE_MS = 1_000;
/** A terabyte on a slow disk takes hours. */
const TABLE_TIMEOUT_MS = 6 * 3_600_000;

/** Checks the database table by table on a worker thread, and reports damage to `state`. Stops at the first damage. */
export function startIntegrityCheck(options: IntegrityCheckOptions): IntegrityCheck {
  const stopping = new AbortController();
  const running = checkRepeatedly(options, stopping.signal).catch((error) => {
    if (!stopping.signal.aborted) options.onError(error);
  });
  return {
    async stop() {
      stopping.abort();
      await running;
    },
  };
}

async function checkRepeatedly(options: IntegrityCheckOptions, signal: AbortSignal): Promise<void> {
  const { state, firstMs, everyMs, onError } = options;
  await sleep(firstMs, undefined, { signal, ref: false });
  while (state.fault === null) {
    await checkOnce(options, signal).catch((error) => {
      signal.throwIfAborted();
      onError(error);
    });
    await sleep(everyMs, undefined, { signal, ref: false });
  }
}

/** The worker thread exits after each check. */
async function checkOnce(options: IntegrityCheckOptions, signal: AbortSignal): Promise<void> {
  const { entry, store, state, pauseMs = PAUSE_MS } = options;
  const pool = new WorkerPool<Pick<WorkerTasks, 'checkTable'>>({
    name: 'integrity',
    size: 1,
    entry,
    timeoutMs: { checkTable: TABLE_TIMEOUT_MS },
  });
  const close = () => void pool.close();
  signal.addEventListener('abort', close, { once: true });
  try {
    const { tables, complaint } = await pool.run('checkTable', { ...store, table: null });
    if (complaint !== null) return void state.reportDamage(complaint);
    for (const table of tables) {
      const step = await pool.run('checkTable', { ...store, table });
      if (step.complaint !== null) return void state.reportDamage(step.complaint);
      await sleep(pauseMs, undefined, { signal, ref: false });
    }
  } finally {
    signal.removeEventListener('abort', close);
    await pool.close();
  }
}
