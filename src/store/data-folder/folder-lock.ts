import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { SqliteLock } from '../sqlite-lock.ts';
import { faultOfErrno, faultOfSqlite, StoreFault } from '../store-fault.ts';
import { LOCK_FILE } from './entries.ts';
import { readServerFile, removeServerFile, type ServerFile, writeServerFile } from './server-file.ts';

/** Longer than a command needs that only checks whether a server runs. */
const WAIT_MS = 1_000;

/** The exclusive lock to serve or migrate a data folder. */
export class FolderLock {
  readonly instanceId: string;
  readonly #folder: string;
  readonly #lock: SqliteLock;
  readonly #startedAt: number;

  private constructor(folder: string, lock: SqliteLock, startedAt: number) {
    this.instanceId = `srv_${randomBytes(12).toString('hex')}`;
    this.#folder = folder;
    this.#lock = lock;
    this.#startedAt = startedAt;
  }

  /** @param nowMs Unix milliseconds @throws StoreFault `in_use` with the holder's process id, or the reason why locking failed */
  static acquire(folder: string, nowMs: number, addonPath: string | undefined): FolderLock {
    const lock = acquireLock(join(folder, LOCK_FILE), addonPath);
    if (lock === null) throw new StoreFault('in_use', folder, { detail: describe(readServerFile(folder)) });
    const hold = new FolderLock(folder, lock, nowMs);
    hold.announce({ url: null, webAddress: null, healingRoots: [] });
    return hold;
  }

  /** Writes `server.json`. A disk without space does not stop a server, which is needed to delete data. */
  announce(server: Pick<ServerFile, 'url' | 'webAddress' | 'healingRoots'>): void {
    const { instanceId } = this;
    try {
      writeServerFile(this.#folder, { ...server, pid: process.pid, instanceId, startedAt: this.#startedAt });
    } catch (error) {
      const storageFault = faultOfErrno(error, this.#folder);
      if (!(storageFault instanceof StoreFault && storageFault.reason === 'disk_full')) throw storageFault;
    }
  }

  release(): void {
    removeServerFile(this.#folder);
    this.#lock.release();
  }
}

/** The server that holds the lock now; null if none does, regardless of `server.json`. */
export function runningServer(folder: string, addonPath: string | undefined): ServerFile | null {
  return SqliteLock.isHeld(join(folder, LOCK_FILE), addonPath) ? readServerFile(folder) : null;
}

function acquireLock(file: string, addonPath: string | undefined): SqliteLock | null {
  try {
    return SqliteLock.acquire(file, { waitMs: WAIT_MS, addonPath });
  } catch (error) {
    throw faultOfErrno(faultOfSqlite(error, file), file);
  }
}

function describe(holder: ServerFile | null): string {
  if (holder === null) return 'by a process that is starting';
  return holder.url === null ? `by process ${holder.pid}` : `by process ${holder.pid}, which serves ${holder.url}`;
}
