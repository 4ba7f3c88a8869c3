export interface StoreChangePoller {
  stop(): void;
}

export interface StoreChangePollerOptions {
  /** A value that changes with every write to the store, from any process. */
  changeMark(): string;
  onChange(): void;
  onError(error: unknown): void;
}

const EVERY_MS = 1_000;

/** Polls the store for writes: one cheap query instead of one per work loop. */
export function startStoreChangePoller({ changeMark, onChange, onError }: StoreChangePollerOptions): StoreChangePoller {
  let seen: string | null = null;

  function poll(): void {
    try {
      const mark = changeMark();
      const hasChanged = mark !== seen;
      seen = mark;
      if (hasChanged) onChange();
    } catch (error) {
      onError(error);
    }
  }

  const timer = setInterval(poll, EVERY_MS);
  return { stop: () => clearInterval(timer) };
}
