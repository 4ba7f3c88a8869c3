interface Blocked {
  /** Size of the log after the attempt. */
  logBytes: number;
  waitMs: number;
  untilMs: number;
}

const FIRST_WAIT_MS = 5_000;
const MAX_WAIT_MS = 30_000;
const GROWTH_BYTES = 1024 * 1024;

/**
 * When to try a checkpoint again after one that was not completed, e.g. behind a reader: each attempt adds a page to the log
 * and invalidates the caches of other connections.
 */
export class CheckpointBackoff {
  #blocked: Blocked | null = null;

  /** True after a wait, when the log grew by 1 MiB, or when another process restarted it. */
  mayCheckpoint(logBytes: number, nowMs: number): boolean {
    if (this.#blocked === null || nowMs >= this.#blocked.untilMs) return true;
    return logBytes < this.#blocked.logBytes || this.#hasGrown(this.#blocked, logBytes);
  }

  /** @param logBytes size of the log before the attempt @param bytesAfter after it */
  recordAttempt(isDone: boolean, logBytes: number, bytesAfter: number, nowMs: number): void {
    const last = this.#blocked;
    const isRetry = last !== null && !this.#hasGrown(last, logBytes);
    const waitMs = isRetry ? Math.min(MAX_WAIT_MS, last.waitMs * 2) : FIRST_WAIT_MS;
    this.#blocked = isDone ? null : { logBytes: bytesAfter, waitMs, untilMs: nowMs + waitMs };
  }

  #hasGrown({ logBytes: before }: Blocked, logBytes: number): boolean {
    return logBytes >= before + GROWTH_BYTES;
  }
}
