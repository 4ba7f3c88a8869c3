import type { SessionItem } from '../features/coding-sessions/session.record.ts';
import type { FullInput } from '../features/local-sessions/session-bodies.ts';
import { RunningDetector } from './running-detector.ts';
import { WorkerPool } from './worker-pool.ts';
import type { WorkerTasks } from './worker-tasks.ts';
import type { WorkerEntry } from './worker-thread.ts';

export interface SessionPool {
  /** Null if the files hold no session. @throws Error if they cannot be read */
  read(source: FullInput, receivedAtMs: number, signal?: AbortSignal): Promise<SessionItem | null>;
  close(): Promise<void>;
}

/** Maximum time for one session. */
const TIMEOUT_MS = 300_000;

/** Reads whole sessions of coding agents on worker threads that start on first use. */
export function createSessionPool(size: number, entry: WorkerEntry): SessionPool {
  const pool = new WorkerPool<Pick<WorkerTasks, 'readSession'>>({
    name: 'session',
    size,
    entry,
    timeoutMs: { readSession: TIMEOUT_MS },
    createMemory: () => new RunningDetector().memory,
  });
  return {
    read: (source, receivedAtMs, signal) =>
      pool.run('readSession', { source, receivedAtMs }, signal === undefined ? {} : { signal }),
    close: () => pool.close(),
  };
}
