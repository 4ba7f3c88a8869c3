import { AppError } from '../core/app-error.ts';

const MAX_SHARE_OF_FREE = 3;

/**
 * Counts the bytes of request bodies that are in memory. A holder (a tenant, or an address that sent no credential) may hold
 * three times as much as is still free: one holder gets at most three quarters of the total, two get three sevenths each. So
 * there is always room for the next holder (dynamic thresholds: Choudhury and Hahne, IEEE/ACM Transactions on Networking, 1998).
 */
export class BodyBudget {
  readonly #maxBytes: number;
  readonly #heldBy = new Map<string, number>();
  #heldBytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  lease(holder: string): BodyLease {
    return new BodyLease((bytes) => this.#change(holder, bytes));
  }

  #change(holder: string, bytes: number): void {
    const before = this.#heldBy.get(holder) ?? 0;
    if (bytes > 0 && before + bytes > MAX_SHARE_OF_FREE * (this.#maxBytes - this.#heldBytes - bytes))
      throw new AppError('backpressure', 'Too many large bodies at once; try again shortly.', { retryAfterSeconds: 2 });
    this.#heldBytes += bytes;
    if (before + bytes > 0) this.#heldBy.set(holder, before + bytes);
    else this.#heldBy.delete(holder);
  }
}

/** The bytes held by one body. */
export class BodyLease {
  readonly #change: (bytes: number) => void;
  #held = 0;

  constructor(change: (bytes: number) => void) {
    this.#change = change;
  }

  /** @throws AppError `backpressure` */
  hold(bytes: number): void {
    this.#change(bytes);
    this.#held += bytes;
  }

  /** Releases this many bytes, or all. */
  release(bytes = this.#held): void {
    this.#change(-bytes);
    this.#held -= bytes;
  }
}
