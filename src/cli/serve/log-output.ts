import { constants, fstatSync, openSync, writeSync } from 'node:fs';

/** The file descriptor of the log. */
export interface LogTarget {
  /** @returns how many bytes were written. @throws errors of the descriptor, `EAGAIN` if it would block */
  write(bytes: Uint8Array): number;
}

export interface LogOutputOptions {
  target: LogTarget;
  after(ms: number, run: () => void): void;
  /** The line that reports how many lines were dropped. */
  droppedLine(count: number): string;
}

const MAX_WAITING_BYTES = 1024 * 1024;
const RETRY_MS = 50;

/**
 * Writes log lines without blocking the server: lines for a slow reader are buffered, up to 1 MiB, and lines that the
 * reader or a full disk does not accept are dropped and counted.
 */
export class LogOutput {
  readonly #options: LogOutputOptions;
  #waiting: Buffer = Buffer.alloc(0);
  #droppedCount = 0;
  #isRetrySet = false;

  constructor(options: LogOutputOptions) {
    this.#options = options;
  }

  /** Writes one or more whole lines. */
  write(lines: string): void {
    if (this.#waiting.length + lines.length > MAX_WAITING_BYTES) this.#droppedCount += 1;
    else this.#append(lines);
    this.#flush();
  }

  #append(lines: string): void {
    this.#waiting = Buffer.concat([this.#waiting, Buffer.from(lines)]);
  }

  #flush(): void {
    try {
      while (this.#waiting.length > 0) {
        this.#waiting = this.#waiting.subarray(this.#options.target.write(this.#waiting));
        if (this.#waiting.length === 0) this.#reportDropped();
      }
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EAGAIN') {
        this.#retryLater();
        return;
      }
      this.#droppedCount += this.#waiting.toString('latin1').split('\n').length - 1;
      this.#waiting = Buffer.alloc(0);
    }
  }

  #reportDropped(): void {
    if (this.#droppedCount === 0) return;
    const line = this.#options.droppedLine(this.#droppedCount);
    this.#droppedCount = 0;
    this.#append(line);
  }

  #retryLater(): void {
    if (this.#isRetrySet) return;
    this.#isRetrySet = true;
    this.#options.after(RETRY_MS, () => {
      this.#isRetrySet = false;
      this.#flush();
    });
  }
}

/** The process's standard error. A pipe is opened a second time in non-blocking mode. */
export function standardError(): LogTarget {
  const descriptor = openWithoutWaiting(2);
  return { write: (bytes) => writeSync(descriptor, bytes) };
}

function openWithoutWaiting(descriptor: number): number {
  try {
    if (!fstatSync(descriptor).isFIFO()) return descriptor;
    return openSync(`/proc/self/fd/${descriptor}`, constants.O_WRONLY | constants.O_NONBLOCK);
  } catch {
    return descriptor;
  }
}
